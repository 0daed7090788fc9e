extension CMFormatDescription {
  /// Further facts by key: an immutable dictionary with typed keys.
  public struct Extensions {
    public struct Key: RawRepresentable, Hashable, Sendable {
      public let rawValue: CFString

      public init(rawValue: CFString) {
        self.rawValue = rawValue
      }

      public static let originalCompressionSettings = Key(
        rawValue: kCMFormatDescriptionExtension_OriginalCompressionSettings)
      public static let sampleDescriptionExtensionAtoms = Key(
        rawValue: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
      public static let verbatimSampleDescription = Key(
        rawValue: kCMFormatDescriptionExtension_VerbatimSampleDescription)
      public static let verbatimISOSampleEntry = Key(rawValue: kCMFormatDescriptionExtension_VerbatimISOSampleEntry)
      public static let formatName = Key(rawValue: kCMFormatDescriptionExtension_FormatName)
      public static let depth = Key(rawValue: kCMFormatDescriptionExtension_Depth)
      public static let cleanAperture = Key(rawValue: kCMFormatDescriptionExtension_CleanAperture)
      public static let fieldCount = Key(rawValue: kCMFormatDescriptionExtension_FieldCount)
      public static let fieldDetail = Key(rawValue: kCMFormatDescriptionExtension_FieldDetail)
      public static let pixelAspectRatio = Key(rawValue: kCMFormatDescriptionExtension_PixelAspectRatio)
      public static let colorPrimaries = Key(rawValue: kCMFormatDescriptionExtension_ColorPrimaries)
      public static let transferFunction = Key(rawValue: kCMFormatDescriptionExtension_TransferFunction)
      public static let gammaLevel = Key(rawValue: kCMFormatDescriptionExtension_GammaLevel)
      public static let yCbCrMatrix = Key(rawValue: kCMFormatDescriptionExtension_YCbCrMatrix)
      public static let fullRangeVideo = Key(rawValue: kCMFormatDescriptionExtension_FullRangeVideo)
      public static let iccProfile = Key(rawValue: kCMFormatDescriptionExtension_ICCProfile)
      public static let bytesPerRow = Key(rawValue: kCMFormatDescriptionExtension_BytesPerRow)
      public static let chromaLocationTopField = Key(rawValue: kCMFormatDescriptionExtension_ChromaLocationTopField)
      public static let chromaLocationBottomField = Key(
        rawValue: kCMFormatDescriptionExtension_ChromaLocationBottomField)
      public static let conformsToMPEG2VideoProfile = Key(
        rawValue: kCMFormatDescriptionExtension_ConformsToMPEG2VideoProfile)
      public static let temporalQuality = Key(rawValue: kCMFormatDescriptionExtension_TemporalQuality)
      public static let spatialQuality = Key(rawValue: kCMFormatDescriptionExtension_SpatialQuality)
      public static let verbatimImageDescription = Key(rawValue: kCMFormatDescriptionExtension_VerbatimImageDescription)
      public static let version = Key(rawValue: kCMFormatDescriptionExtension_Version)
      public static let revisionLevel = Key(rawValue: kCMFormatDescriptionExtension_RevisionLevel)
      public static let vendor = Key(rawValue: kCMFormatDescriptionExtension_Vendor)
      public static let masteringDisplayColorVolume = Key(
        rawValue: kCMFormatDescriptionExtension_MasteringDisplayColorVolume)
      public static let contentLightLevelInfo = Key(rawValue: kCMFormatDescriptionExtension_ContentLightLevelInfo)
      public static let ambientViewingEnvironment = Key(
        rawValue: kCMFormatDescriptionExtension_AmbientViewingEnvironment)
      public static let alternativeTransferCharacteristics = Key(
        rawValue: kCMFormatDescriptionExtension_AlternativeTransferCharacteristics)
      public static let auxiliaryTypeInfo = Key(rawValue: kCMFormatDescriptionExtension_AuxiliaryTypeInfo)
      public static let containsAlphaChannel = Key(rawValue: kCMFormatDescriptionExtension_ContainsAlphaChannel)
      public static let alphaChannelMode = Key(rawValue: kCMFormatDescriptionExtension_AlphaChannelMode)
      public static let bitsPerComponent = Key(rawValue: kCMFormatDescriptionExtension_BitsPerComponent)
      public static let projectionKind = Key(rawValue: kCMFormatDescriptionExtension_ProjectionKind)
      public static let viewPackingKind = Key(rawValue: kCMFormatDescriptionExtension_ViewPackingKind)
      public static let horizontalFieldOfView = Key(rawValue: kCMFormatDescriptionExtension_HorizontalFieldOfView)
      public static let hasLeftStereoEyeView = Key(rawValue: kCMFormatDescriptionExtension_HasLeftStereoEyeView)
      public static let hasRightStereoEyeView = Key(rawValue: kCMFormatDescriptionExtension_HasRightStereoEyeView)
      public static let protectedContentOriginalFormat = Key(
        rawValue: kCMFormatDescriptionExtension_ProtectedContentOriginalFormat)
    }

    /// A property list.
    public struct Value {
      public let propertyListRepresentation: CFPropertyList

      public init(_ propertyListRepresentation: CFPropertyList) {
        self.propertyListRepresentation = propertyListRepresentation
      }

      public static func string(_ string: CFString) -> Value { Value(string) }
      public static func number(_ number: Int) -> Value { Value(NSNumber(value: number)) }
      public static func number(_ number: Double) -> Value { Value(NSNumber(value: number)) }
      public static func bool(_ flag: Bool) -> Value { Value(NSNumber(value: flag)) }
      public static func data(_ data: Data) -> Value { Value(data) }
    }

    private var dictionary: CFDictionary

    public init() {
      dictionary = [:]
    }

    public init(base: CFDictionary?) {
      dictionary = base ?? [:]
    }

    /// The untyped dictionary.
    public var base: CFDictionary { dictionary }

    public subscript(key: Key) -> Value? {
      get { dictionary[key.rawValue].map(Value.init) }
      set { dictionary[key.rawValue] = newValue?.propertyListRepresentation }
    }

    public var isEmpty: Bool { dictionary.isEmpty }
    public var count: Int { dictionary.count }
    public var keys: [Key] { dictionary.keys.map(Key.init) }
  }
}

extension CMFormatDescription.Extensions: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (Key, Value)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}

extension CMFormatDescription.Extensions: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    propertyListsEqual(left.base, right.base)
  }
}
