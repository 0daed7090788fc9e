extension CMFormatDescription {
  /// Describes H.264 video by its parameter sets (without start codes; sequence and picture sets in any order).
  ///
  /// - Parameter nalUnitHeaderLength: the size of the length field before each unit in the samples: 1, 2 or 4.
  public convenience init(h264ParameterSets: [Data], nalUnitHeaderLength: Int = 4) throws {
    func type(_ set: Data) -> UInt8 { set.first.map { $0 & 31 } ?? 0 }
    let sequenceSets = h264ParameterSets.filter { type($0) == 7 }
    let pictureSets = h264ParameterSets.filter { type($0) == 8 }
    guard [1, 2, 4].contains(nalUnitHeaderLength), !pictureSets.isEmpty, let first = sequenceSets.first,
      let parameters = SequenceParameters(h264: first),
      let record = AVCConfiguration.record(
        sequenceSets: sequenceSets, pictureSets: pictureSets, lengthSize: nalUnitHeaderLength)
    else { throw NSError.status(kCMFormatDescriptionError_InvalidParameter) }
    self.init(kCMVideoCodecType_H264, parameters, atom: "avcC", record: record, extensions: [:])
  }

  /// Describes HEVC video by its parameter sets (without start codes; video, sequence and picture sets in any order).
  public convenience init(
    hevcParameterSets: [Data], nalUnitHeaderLength: Int = 4, extensions: Extensions? = nil
  ) throws {
    func type(_ set: Data) -> UInt8 { set.first.map { $0 >> 1 & 0x3f } ?? 0 }
    guard [1, 2, 4].contains(nalUnitHeaderLength),
      [32, 33, 34].allSatisfy({ wanted in hevcParameterSets.contains { type($0) == wanted } }),
      let sequence = hevcParameterSets.first(where: { type($0) == 33 }),
      let parameters = SequenceParameters(hevc: sequence),
      let record = HEVCConfiguration.record(hevcParameterSets, lengthSize: nalUnitHeaderLength)
    else { throw NSError.status(kCMFormatDescriptionError_InvalidParameter) }
    self.init(
      kCMVideoCodecType_HEVC, parameters, atom: "hvcC", record: record, extensions: extensions?.base ?? [:])
  }

  /// Fills in the facts of the sequence set; what the caller says goes before.
  private convenience init(
    _ codec: CMVideoCodecType, _ parameters: SequenceParameters, atom: String, record: Data, extensions: CFDictionary
  ) {
    var facts: CFDictionary = [kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: [atom: record]]
    if let aspect = parameters.pixelAspect, aspect.horizontal != aspect.vertical {
      facts[kCMFormatDescriptionExtension_PixelAspectRatio] = [
        kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: NSNumber(value: aspect.horizontal),
        kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: NSNumber(value: aspect.vertical),
      ]
    }
    if let isFullRange = parameters.isFullRange {
      facts[kCMFormatDescriptionExtension_FullRangeVideo] = NSNumber(value: isFullRange)
    }
    if let color = parameters.color {
      facts[kCMFormatDescriptionExtension_ColorPrimaries] =
        CVColorPrimariesGetStringForIntegerCodePoint(Int32(color.primaries))
      facts[kCMFormatDescriptionExtension_TransferFunction] =
        CVTransferFunctionGetStringForIntegerCodePoint(Int32(color.transfer))
      facts[kCMFormatDescriptionExtension_YCbCrMatrix] =
        CVYCbCrMatrixGetStringForIntegerCodePoint(Int32(color.matrix))
    }
    self.init(
      type: kCMMediaType_Video, subType: codec, extensions: facts.merging(extensions) { _, given in given },
      size: CMVideoDimensions(width: Int32(parameters.width), height: Int32(parameters.height)))
  }

  /// Those of the `avcC` or `hvcC` record; empty for other formats.
  public var parameterSets: [Data] { configuration?.sets ?? [] }

  /// The size of the length field before each unit in the samples; 0 for other formats.
  public var nalUnitHeaderLength: Int { configuration?.lengthSize ?? 0 }

  var configuration: (atom: String, sets: [Data], lengthSize: Int)? {
    let atoms =
      extensionDictionary[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] as? CFDictionary
    if let record = (atoms?["avcC"] as? Data).flatMap({ AVCConfiguration(record: $0) }) {
      return ("avcC", record.parameterSets, record.lengthSize)
    }
    if let record = (atoms?["hvcC"] as? Data).flatMap({ HEVCConfiguration(record: $0) }) {
      return ("hvcC", record.parameterSets, record.lengthSize)
    }
    return nil
  }
}

private func sets(
  _ count: Int, _ pointers: UnsafePointer<UnsafePointer<UInt8>>, _ sizes: UnsafePointer<Int>
) -> [Data]? {
  guard count > 0 else { return nil }
  var sets: [Data] = []
  for index in 0..<count {
    guard sizes[index] > 0 else { return nil }
    sets.append(Data(bytes: pointers[index], count: sizes[index]))
  }
  return sets
}

@discardableResult
public func CMVideoFormatDescriptionCreateFromH264ParameterSets(
  allocator: CFAllocator?, parameterSetCount: Int, parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>,
  parameterSetSizes: UnsafePointer<Int>, nalUnitHeaderLength: Int32,
  formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  guard let sets = sets(parameterSetCount, parameterSetPointers, parameterSetSizes) else {
    return kCMFormatDescriptionError_InvalidParameter
  }
  return status {
    formatDescriptionOut.pointee = try CMFormatDescription(
      h264ParameterSets: sets, nalUnitHeaderLength: Int(nalUnitHeaderLength))
  }
}

@discardableResult
public func CMVideoFormatDescriptionCreateFromHEVCParameterSets(
  allocator: CFAllocator?, parameterSetCount: Int, parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>,
  parameterSetSizes: UnsafePointer<Int>, nalUnitHeaderLength: Int32, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = nil
  guard let sets = sets(parameterSetCount, parameterSetPointers, parameterSetSizes) else {
    return kCMFormatDescriptionError_InvalidParameter
  }
  return status {
    formatDescriptionOut.pointee = try CMFormatDescription(
      hevcParameterSets: sets, nalUnitHeaderLength: Int(nalUnitHeaderLength),
      extensions: CMFormatDescription.Extensions(base: extensions))
  }
}

extension CMFormatDescription {
  fileprivate func parameterSet(
    atom: String, _ index: Int, _ pointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ sizeOut: UnsafeMutablePointer<Int>?, _ countOut: UnsafeMutablePointer<Int>?,
    _ lengthOut: UnsafeMutablePointer<Int32>?
  ) -> OSStatus {
    guard let configuration, configuration.atom == atom else {
      return kCMFormatDescriptionError_InvalidParameter
    }
    countOut?.pointee = configuration.sets.count
    lengthOut?.pointee = Int32(configuration.lengthSize)
    guard pointerOut != nil || sizeOut != nil else { return noErr }
    let memory = parameterSetMemory.withLock { kept in
      let memory = kept ?? configuration.sets.compactMap(BlockMemory.init(copying:))
      kept = memory
      return memory
    }
    guard memory.indices.contains(index) else { return kCMFormatDescriptionError_InvalidParameter }
    pointerOut?.pointee = UnsafePointer(memory[index].bytes.assumingMemoryBound(to: UInt8.self))
    sizeOut?.pointee = memory[index].length
    return noErr
  }
}

/// A parameter set, valid as long as the description. Each result may be left out.
@discardableResult
public func CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
  _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
  parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
  nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  videoDesc.parameterSet(
    atom: "avcC", parameterSetIndex, parameterSetPointerOut, parameterSetSizeOut, parameterSetCountOut,
    nalUnitHeaderLengthOut)
}

/// A parameter set, valid as long as the description. Each result may be left out.
@discardableResult
public func CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
  _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
  parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
  nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  videoDesc.parameterSet(
    atom: "hvcC", parameterSetIndex, parameterSetPointerOut, parameterSetSizeOut, parameterSetCountOut,
    nalUnitHeaderLengthOut)
}
