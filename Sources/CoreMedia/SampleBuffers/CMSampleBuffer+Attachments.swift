extension CMSampleBuffer {
  /// What is said about each sample, by index.
  public struct PerSampleAttachmentsList {
    let dictionaries: [NSMutableDictionary]

    public var count: Int { dictionaries.count }
    public var isEmpty: Bool { dictionaries.isEmpty }

    /// Changes go to the buffer.
    public subscript(index: Int) -> PerSampleAttachmentsDictionary {
      get { PerSampleAttachmentsDictionary(dictionary: dictionaries[index]) }
      nonmutating set {
        guard newValue.dictionary !== dictionaries[index] else { return }
        dictionaries[index].setEntries(of: newValue.dictionary)
      }
    }
  }

  /// What is said about one sample.
  public struct PerSampleAttachmentsDictionary {
    let dictionary: NSMutableDictionary

    public struct Key: RawRepresentable, Hashable, Sendable {
      public let rawValue: CFString

      public init(rawValue: CFString) {
        self.rawValue = rawValue
      }

      public static let notSync = Key(rawValue: kCMSampleAttachmentKey_NotSync)
      public static let partialSync = Key(rawValue: kCMSampleAttachmentKey_PartialSync)
      public static let hasRedundantCoding = Key(rawValue: kCMSampleAttachmentKey_HasRedundantCoding)
      public static let isDependedOnByOthers = Key(rawValue: kCMSampleAttachmentKey_IsDependedOnByOthers)
      public static let dependsOnOthers = Key(rawValue: kCMSampleAttachmentKey_DependsOnOthers)
      public static let earlierDisplayTimesAllowed = Key(rawValue: kCMSampleAttachmentKey_EarlierDisplayTimesAllowed)
      public static let displayImmediately = Key(rawValue: kCMSampleAttachmentKey_DisplayImmediately)
      public static let doNotDisplay = Key(rawValue: kCMSampleAttachmentKey_DoNotDisplay)
    }

    public subscript(key: Key) -> Any? {
      get { dictionary[key.rawValue] }
      nonmutating set {
        if let newValue {
          dictionary[key.rawValue] = newValue
        } else {
          dictionary.removeObject(forKey: key.rawValue)
        }
      }
    }
  }

  /// One entry per sample, made when first asked for.
  public var sampleAttachments: PerSampleAttachmentsList {
    PerSampleAttachmentsList(dictionaries: attachmentDictionaries(create: true))
  }

  func attachmentDictionaries(create: Bool) -> [NSMutableDictionary] {
    state.withLock { state in
      if state.sampleAttachments.isEmpty && create {
        state.sampleAttachments = (0..<numSamples).map { _ in NSMutableDictionary() }
      }
      return state.sampleAttachments
    }
  }
}

/// One mutable dictionary per sample; nil when there are none and none are to be made. Use on one thread at a time.
public func CMSampleBufferGetSampleAttachmentsArray(
  _ sbuf: CMSampleBuffer, createIfNecessary: Bool
) -> CFArray? {
  let dictionaries = sbuf.attachmentDictionaries(create: createIfNecessary)
  return dictionaries.isEmpty ? nil : dictionaries
}

extension NSMutableDictionary {
  /// Has the other's entries and no others.
  func setEntries(of other: NSMutableDictionary) {
    removeAllObjects()
    for (key, value) in other {
      if let key = key as? AnyHashable { setObject(value, forKey: key) }
    }
  }

  func duplicate() -> NSMutableDictionary {
    let copy = NSMutableDictionary()
    copy.setEntries(of: self)
    return copy
  }
}
