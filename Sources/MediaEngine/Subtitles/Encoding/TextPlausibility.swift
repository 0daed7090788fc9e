/// How much a reading of bytes looks like text in any language: which letters follow each other, how usual they are, and,
/// among the letters that Latin script adds, whether one language has them all.
enum TextPlausibility {
  /// Per letter beyond ASCII; higher is likelier.
  static func score(_ text: String) -> Double {
    var total = 0.0
    var letters = 0
    var previous: Script = .none
    var wasLower = false
    var run = 0
    var latin: [Unicode.Scalar: Int] = [:]
    for scalar in text.unicodeScalars {
      let script = Script(scalar)
      defer { previous = script }
      guard scalar.value >= 0x80 else {
        // A word that changes its script in the middle is none.
        if script == .latin, previous.isForeign { total -= 3 }
        if script == .none { run = 0 }
        wasLower = ("a"..."z").contains(scalar)
        continue
      }
      letters += 1
      if script == .latin { latin[scalar.lowercase, default: 0] += 1 } else { total += weight(scalar, script) }
      if script.isForeign, previous == .latin { total -= 3 }
      if script.isForeign, previous.isForeign, script != previous, !(script.isEastAsian && previous.isEastAsian) {
        total -= 3
      }
      let properties = scalar.properties
      if properties.isUppercase, wasLower { total -= 2 }
      // No language writes word after word in accented Latin letters.
      run = script == .latin ? run + 1 : 0
      if run > 2 { total -= 3 }
      // Signs inside a word are letters of another encoding.
      if script == .sign, previous == .latin || previous.isForeign { total -= 1.5 }
      wasLower = properties.isLowercase
    }
    total += alphabets.map { fit(latin, $0) }.max() ?? 0
    return letters == 0 ? 0 : total / Double(letters)
  }

  private enum Script {
    case none, latin, sign, greek, cyrillic, hebrew, arabic, thai, kana, han, hangul, rare

    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x41...0x5A, 0x61...0x7A: self = .latin
      case 0..<0x80: self = .none
      case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x17F, 0x1A0, 0x1A1, 0x1AF, 0x1B0, 0x218...0x21B: self = .latin
      case 0x370...0x3FF: self = .greek
      case 0x400...0x52F: self = .cyrillic
      case 0x590...0x5FF: self = .hebrew
      case 0x600...0x6FF: self = .arabic
      case 0xE00...0xE7F: self = .thai
      case 0x3040...0x30FF: self = .kana
      case 0x4E00...0x9FFF: self = .han
      case 0xAC00...0xD7A3: self = .hangul
      case 0xA0, 0xA1, 0xAB, 0xBB, 0xBF, 0x2010...0x2026, 0x3000...0x3002, 0x300C...0x300F, 0xFF01, 0xFF0C, 0xFF1F,
        0xFF1A:
        self = .none
      case 0x80...0x9F, 0xE000...0xF8FF, 0xFF61...0xFF9F, 0x3400...0x4DBF, 0x2_0000...0x3_FFFF: self = .rare
      default: self = .sign
      }
    }

    var isForeign: Bool { isEastAsian || [.greek, .cyrillic, .hebrew, .arabic, .thai].contains(self) }
    var isEastAsian: Bool { [.kana, .han, .hangul].contains(self) }
  }

  private static func weight(_ scalar: Unicode.Scalar, _ script: Script) -> Double {
    switch script {
    case .none: 0.3
    case .sign: -1
    case .rare: -4
    case .latin: 0
    case .greek: usualGreek.contains(scalar) ? 1.2 : 0.4
    case .cyrillic: cyrillic(scalar)
    case .hebrew: (0x5D0...0x5EA).contains(scalar.value) ? 1.5 : -1
    case .arabic: usualArabic.contains(scalar) ? 1.2 : 0.2
    case .thai: 0.8
    // Kana are what Japanese is full of, and what misread Chinese and Korean have little of.
    case .kana: 1.6
    case .han: usualHan.contains(scalar) ? 2 : 0.3
    case .hangul: usualHangul.contains(scalar) ? 2 : 0.6
    }
  }

  private static func cyrillic(_ scalar: Unicode.Scalar) -> Double {
    if usualCyrillic.contains(scalar) { return 1.4 }
    if ("а"..."я").contains(scalar) || "іїєґёђјљњћџў".unicodeScalars.contains(scalar) { return 0.8 }
    if ("А"..."Я").contains(scalar) { return 0.4 }
    return -0.5
  }

  private static let usualCyrillic = Set("оеаинтсрвлкмдпу".unicodeScalars)
  private static let usualGreek = Set("αοιετσνηυρπκμλςάέίόήώ".unicodeScalars)
  private static let usualArabic = Set("اليمنتربدوكعهسفقحةجشصخطىأإءذ".unicodeScalars)
  private static let usualHan = Set(
    ("的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从今回很己最但现"
      + "這為來個們說國時後對著過發無麼經當與學進種將還見沒從現嗎吧啊呢誰什給她它想知道讓真話叫走嗎吗给让谁"
      + "日本私何君今人大事言思見行来出気分方前手間").unicodeScalars)
  private static let usualHangul = Set(
    "이다는을가에고의지하를은기나도니로어서아자리사해라한시그만들인게있정수일었안과대주보거요네야습내당우없했무너".unicodeScalars)

  private static func fit(_ letters: [Unicode.Scalar: Int], _ alphabet: Set<Unicode.Scalar>) -> Double {
    letters.reduce(0) { $0 + Double($1.value) * (alphabet.contains($1.key) ? 1.2 : -0.5) }
  }

  /// What languages add to the Latin letters.
  private static let alphabets: [Set<Unicode.Scalar>] = [
    "àâæçéèêëîïôœùûüÿ", "äöüß", "áéíóúüñ", "áâãàçéêíóôõúü", "àèéìòùî", "àçéèíïóòúü·", "åäöæøé", "áéíóúýþæöð", "éëïöüè",
    "ąćęłńóśźż", "áäčďéíĺľňóôŕšťúýžěřů", "čćđšž", "áéíóöőúüű", "ăâîşţșț", "çğıöşüâîûi\u{307}", "äöüõšž", "āčēģīķļņšūž",
    "ąčęėįšųūž", "ëç",
  ].map { Set($0.unicodeScalars) }
}

extension Unicode.Scalar {
  fileprivate var lowercase: Unicode.Scalar { properties.lowercaseMapping.unicodeScalars.first ?? self }
}
