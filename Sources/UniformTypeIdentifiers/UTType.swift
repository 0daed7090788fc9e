/// A kind of data, known by its identifier, with the types it conforms to.
public struct UTType: Hashable, Sendable {
  public let identifier: String

  /// Nil for an identifier that is unknown. Case does not matter.
  public init?(_ identifier: String) {
    let lowercased = identifier.lowercased()
    if let declared = Declaration.byIdentifier[lowercased] {
      self.identifier = declared.identifier
    } else if DynamicType(identifier: lowercased) != nil {
      self.identifier = lowercased
    } else {
      return nil
    }
  }

  /// The type of files so named; a dynamic type for an unknown extension.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
  }

  /// The type of resources so labelled; parameters after a semicolon count only where a
  /// type is declared with them. A dynamic type for an unknown label.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
  }

  public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
    guard let type = UTType.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first else { return nil }
    self = type
  }

  init(declared identifier: String) {
    self.identifier = identifier
  }

  init(dynamic: DynamicType) {
    identifier = dynamic.identifier
  }

  /// All types with a tag, the preferred one first; if there are none, a dynamic type.
  public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
    let whole = tag.lowercased()
    let tag = tagClass == .mimeType ? withoutParameters(whole) : whole
    guard !tag.isEmpty else { return [] }
    // One type is declared with a parameter.
    for candidate in tag == whole ? [tag] : [whole.filter { $0 != " " }, tag] {
      let declared = declaredTypes(candidate, tagClass)
        .filter { type in supertype.map { type.conforms(to: $0) } ?? true }
      if !declared.isEmpty { return declared }
    }
    guard supertype == nil || supertype == .data || supertype == .item else { return [] }
    return DynamicType(tag: tag, tagClass: tagClass).map { [UTType(dynamic: $0)] } ?? []
  }

  private static func declaredTypes(_ tag: String, _ tagClass: UTTagClass) -> [UTType] {
    Declaration.all.filter { declaration in
      switch tagClass {
      case .filenameExtension: declaration.filenameExtensions.contains(tag)
      case .mimeType: declaration.mimeTypes.contains(tag)
      default: false
      }
    }
    .map { UTType(declared: $0.identifier) }
  }

  private static func withoutParameters(_ tag: String) -> String {
    guard let semicolon = tag.firstIndex(of: ";") else { return tag }
    return String(tag[..<semicolon].reversed().drop { $0 == " " }.reversed())
  }
}

extension UTType {
  public var preferredFilenameExtension: String? { tags[.filenameExtension]?.first }
  public var preferredMIMEType: String? { tags[.mimeType]?.first }

  /// All tags by class, the preferred ones first.
  public var tags: [UTTagClass: [String]] {
    if let dynamic = DynamicType(identifier: identifier) { return [dynamic.tagClass: [dynamic.tag]] }
    guard let declaration = Declaration.byIdentifier[identifier] else { return [:] }
    return [.filenameExtension: declaration.filenameExtensions, .mimeType: declaration.mimeTypes]
      .filter { !$0.value.isEmpty }
  }

  public var isDeclared: Bool { Declaration.byIdentifier[identifier] != nil }
  /// Made up for an unknown tag.
  public var isDynamic: Bool { !isDeclared }
  public var isPublic: Bool { identifier.hasPrefix("public.") }

  /// All types that this one conforms to, directly or not, without itself.
  public var supertypes: Set<UTType> {
    var found: Set<UTType> = []
    var open = directSupertypes
    while let next = open.popLast() {
      if found.insert(next).inserted { open += next.directSupertypes }
    }
    return found
  }

  private var directSupertypes: [UTType] {
    guard let declaration = Declaration.byIdentifier[identifier] else { return [.data] }
    return declaration.supertypes.map(UTType.init(declared:))
  }

  /// True for the same type and for its supertypes.
  public func conforms(to type: UTType) -> Bool {
    self == type || supertypes.contains(type)
  }

  /// True for other types that conform to this one.
  public func isSupertype(of type: UTType) -> Bool {
    type.supertypes.contains(self)
  }

  /// True for other types that this one conforms to.
  public func isSubtype(of type: UTType) -> Bool {
    supertypes.contains(type)
  }
}

extension UTType: CustomStringConvertible, Codable {
  public var description: String { identifier }

  public init(from decoder: any Decoder) throws {
    let identifier = try decoder.singleValueContainer().decode(String.self)
    guard let type = UTType(identifier) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "unknown type \(identifier)"))
    }
    self = type
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}
