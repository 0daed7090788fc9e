import CoreMedia
import Foundation
import Glibc
import MediaEngine
import MediaTestSupport
import Testing

/// Texts of the kind that subtitles have, some lines each, in the encodings that files of their languages come in.
@Suite struct EncodingTests {
  private static let samples: [(encoding: String, text: String)] = [
    ("CP1252", "Où est-elle ? Je ne l'ai pas vue depuis très longtemps.\nÇa va, merci. Ne t'inquiète pas !"),
    ("CP1252", "Ich weiß nicht, was soll es bedeuten.\nDas ist schön für Sie! Möchten Sie gehen?"),
    ("CP1252", "¿Dónde estás, mañana? ¡No lo sé, señor!\nTambién está aquí mi corazón."),
    ("CP1252", "Não sei o que você está fazendo.\nA situação é difícil, então vamos até lá."),
    ("CP1250", "Nie wiem, co się stało. Jesteś pewien, że to był on?\nDziękuję bardzo, przyjdź później, proszę."),
    ("CP1250", "Nevím, co se stalo. Jsi si jistý, že to byl on?\nDěkuji mnohokrát, přijď později, prosím."),
    (
      "CP1250",
      "Nem tudom, mi történt. Biztos vagy benne, hogy ő volt?\nKöszönöm szépen, gyere később, kérlek, jól főzök."
    ),
    ("CP1251", "Я не знаю, что случилось. Ты уверен, что это был он?\nБольшое спасибо, приходи позже."),
    ("CP1251", "Не знам какво стана. Сигурен ли си, че беше той?\nБлагодаря много, ела по-късно."),
    ("KOI8-R", "Я не знаю, что случилось. Ты уверен, что это был он?\nБольшое спасибо, приходи позже."),
    ("IBM866", "Я не знаю, что случилось. Ты уверен, что это был он?\nБольшое спасибо, приходи позже."),
    ("CP1253", "Δεν ξέρω τι έγινε. Είσαι σίγουρος ότι ήταν αυτός;\nΕυχαριστώ πολύ, έλα αργότερα."),
    (
      "CP1254",
      "Ne olduğunu bilmiyorum. Onun olduğundan emin misin?\nÇok teşekkür ederim, sonra gel. Şimdi değil, yarın."
    ),
    ("CP1255", "אני לא יודע מה קרה. אתה בטוח שזה היה הוא?\nתודה רבה, בוא מאוחר יותר."),
    ("CP1256", "لا أعرف ماذا حدث. هل أنت متأكد أنه كان هو؟\nشكرا جزيلا، تعال لاحقا من فضلك."),
    ("CP874", "ฉันไม่รู้ว่าเกิดอะไรขึ้น คุณแน่ใจหรือว่าเป็นเขา\nขอบคุณมาก กลับมาทีหลังนะ"),
    ("GB18030", "我不知道发生了什么事。你确定是他吗？\n非常感谢，请你以后再来吧。"),
    ("BIG5-HKSCS", "我不知道發生了什麼事。你確定是他嗎？\n非常感謝，請你以後再來吧。"),
    ("CP932", "何が起こったのかわからない。本当に彼だったの？\nどうもありがとう、また後で来てください。"),
    ("EUC-JP", "何が起こったのかわからない。本当に彼だったの？\nどうもありがとう、また後で来てください。"),
    ("CP949", "무슨 일이 일어났는지 모르겠어. 정말 그 사람이었어?\n정말 고마워, 나중에 다시 와 줘."),
  ]

  private func encode(_ text: String, _ name: String) throws -> [UInt8] {
    let converter = try #require(iconv_open(name, "UTF-8"))
    defer { iconv_close(converter) }
    var input = text.utf8.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: input.count * 4)
    let written = try input.withUnsafeMutableBufferPointer { input in
      try output.withUnsafeMutableBufferPointer { output in
        var (source, left, target, room) = (input.baseAddress, input.count, output.baseAddress, output.count)
        try #require(iconv(converter, &source, &left, &target, &room) == 0)
        return output.count - room
      }
    }
    return output[..<written].map { UInt8(bitPattern: $0) }
  }

  @Test(arguments: samples.indices)
  func oldEncodingsAreFound(_ index: Int) throws {
    let sample = Self.samples[index]
    let found = EncodingDetector.decode(try encode(sample.text, sample.encoding))
    #expect(found.text == sample.text, "\(found.encoding), not \(sample.encoding): \(found.text)")
  }

  @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-8"], [true, false])
  func unicode(_ encoding: String, hasMark: Bool) throws {
    // UTF-32 without a mark is in nobody's files.
    guard hasMark || !encoding.hasPrefix("UTF-32") else { return }
    let text = "1\r\n00:00:01,000 --> 00:00:02,000\r\nПривет, мир! ☺️\r\n"
    let found = EncodingDetector.decode(try encode((hasMark ? "\u{FEFF}" : "") + text, encoding))
    #expect(found.text == text)
    #expect(found.encoding == encoding)
  }

  @Test(
    "A language that is known decides about short texts",
    arguments: [
      ("привет\nмир\n", "CP1251", "ru"), ("мир", "KOI8-R", "rus"), ("Zażółć gęślą jaźń", "CP1250", "pl-PL"),
      ("γεια", "CP1253", "el"),
      ("été", "CP1252", "fra"), ("שלום", "CP1255", "he"),
    ])
  func language(text: String, encoding: String, tag: String) throws {
    #expect(EncodingDetector.decode(try encode(text, encoding), language: tag).text == text)
  }

  @Test(arguments: samples.indices)
  func aWrongLanguageDoesNotMisread(_ index: Int) throws {
    let sample = Self.samples[index]
    let found = EncodingDetector.decode(try encode(sample.text, sample.encoding), language: "en")
    #expect(found.text == sample.text, "\(found.encoding), not \(sample.encoding): \(found.text)")
  }

  @Test func aChoiceOverrulesWhatIsFound() throws {
    let bytes = try encode("Привет", "CP1251")
    #expect(EncodingDetector.decode(bytes, as: "CP1252").text == "Ïðèâåò")
    #expect(EncodingDetector.decode(bytes, as: "no such encoding").text == "Привет")
  }

  @Test func aDamagedByteDoesNotTurnUTF8IntoSomethingElse() {
    let line = "Привет, как дела? Всё хорошо, спасибо.\n"
    let bytes = Array(String(repeating: line, count: 4).utf8) + [0xFF, 10]
    #expect(EncodingDetector.decode(bytes).encoding == "UTF-8")
  }

  @Test func anyBytesGiveText() {
    var state: UInt64 = 7
    for length in 0..<300 {
      let bytes = (0..<length).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      let found = EncodingDetector.decode(bytes)
      #expect(!found.encoding.isEmpty)
      _ = try? SubtitleFile(bytes)
    }
  }

  @Test(arguments: 0..<300)
  func damagedFilesAreReadOrRefused(seed: UInt64) {
    let texts = [
      "WEBVTT\n\nSTYLE\n::cue(.a[voice=\"x\"]) { color: rgba(1,2,3,.5) }\n\nREGION\nid:r lines:3 width:40%\n\n1\n"
        + "00:01.000 --> 00:02.000 line:5%,end region:r\n<v.a x>t<00:01.500><i>u</i>&amp;&#x41;</v>",
      "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<font color=\"#ff0000\">a</font> <b>b</b>\n\n2\n00:00:02.5 --> 1:00:03\nc\n",
      "[Script Info]\n[V4+ Styles]\nFormat: Name, Bold\nStyle: A,1\n[Events]\nFormat: Start, End, Style, Text\n"
        + "Dialogue: 0:00:01.00,0:00:02.00,A,{\\b1\\c&H00FF00&\\p1}m 0 0{\\p0}x\\Ny\n",
    ]
    var damage = Damage(seed: seed)
    let bytes = Array(damage.apply(to: Data(texts[Int(seed % 3)].utf8)))
    guard let file = try? SubtitleFile(bytes) else { return }
    #expect(file.cues.allSatisfy { $0.start.isNumeric && $0.end >= $0.start })
  }

  @Test("P097 files in old encodings are read, overlapping cues stand together, wherever one seeks to")
  func oldEncodingsAndOverlaps() throws {
    let text =
      "1\n00:00:00,500 --> 00:00:30,000\nПервая строка, она долгая.\n\n2\n00:00:02,000 --> 00:00:05,000\n"
      + "Вторая строка.\n"
    for encoding in ["CP1251", "UTF-16LE"] {
      let file = try SubtitleFile(try encode(text, encoding))
      #expect(file.encoding == encoding)
      let timeline = CueTimeline(file.cues)
      func shown(_ seconds: Int64) -> [String?] {
        timeline.shown(at: CMTime(value: seconds, timescale: 1)).map { $0.text?.string }
      }
      #expect(shown(3) == ["Первая строка, она долгая.", "Вторая строка."])
      #expect(shown(20) == ["Первая строка, она долгая."])
    }
  }
}
