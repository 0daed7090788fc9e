/// Whether an attachment goes along to buffers made from this one.
public typealias CMAttachmentMode = UInt32

public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// What may carry attachments: sample, block, image and pixel buffers.
public typealias CMAttachmentBearer = AnyObject

struct CMAttachment {
  var value: Any
  var mode: CMAttachmentMode
}

/// The attachments of sample and block buffers; image buffers keep CoreVideo's.
private func store(_ target: CMAttachmentBearer) -> ValueLock<[CFString: CMAttachment]>? {
  switch target {
  case let buffer as CMSampleBuffer: buffer.attachmentStore
  case let buffer as CMBlockBuffer: buffer.attachments
  default: nil
  }
}

/// Attaches a value, or removes the present one with nil.
public func CMSetAttachment(
  _ target: CMAttachmentBearer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {
  guard let value else { return CMRemoveAttachment(target, key: key) }
  if let buffer = target as? CVBuffer {
    CVBufferSetAttachment(buffer, key, value, CVAttachmentMode(rawValue: attachmentMode) ?? .shouldNotPropagate)
  } else {
    // What was there goes after unlocking: a value's deinit may come back to the buffer.
    let replaced = store(target)?.withLock {
      $0.updateValue(CMAttachment(value: value, mode: attachmentMode), forKey: key)
    }
    withExtendedLifetime(replaced) {}
  }
}

public func CMGetAttachment(
  _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
  if let buffer = target as? CVBuffer {
    var mode = CVAttachmentMode.shouldNotPropagate
    let value = CVBufferCopyAttachment(buffer, key, &mode)
    if value != nil { attachmentModeOut?.pointee = mode.rawValue }
    return value
  }
  let attachment = store(target)?.withLock { $0[key] }
  if let attachment { attachmentModeOut?.pointee = attachment.mode }
  return attachment?.value
}

public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
  if let buffer = target as? CVBuffer { return CVBufferRemoveAttachment(buffer, key) }
  let removed = store(target)?.withLock { $0.removeValue(forKey: key) }
  withExtendedLifetime(removed) {}
}

public func CMRemoveAllAttachments(_ target: CMAttachmentBearer) {
  if let buffer = target as? CVBuffer { return CVBufferRemoveAllAttachments(buffer) }
  let removed = store(target)?.withLock { store in
    defer { store = [:] }
    return store
  }
  withExtendedLifetime(removed) {}
}

/// All values of a mode; nil when there are none.
public func CMCopyDictionaryOfAttachments(
  allocator: CFAllocator?, target: CMAttachmentBearer, attachmentMode: CMAttachmentMode
) -> CFDictionary? {
  if let buffer = target as? CVBuffer {
    return CVAttachmentMode(rawValue: attachmentMode).flatMap { CVBufferCopyAttachments(buffer, $0) }
  }
  let values = store(target)?.withLock { store in
    store.filter { $0.value.mode == attachmentMode }.mapValues(\.value)
  }
  return values?.isEmpty == false ? values : nil
}

public func CMSetAttachments(
  _ target: CMAttachmentBearer, attachments theAttachments: CFDictionary, attachmentMode: CMAttachmentMode
) {
  for (key, value) in theAttachments {
    CMSetAttachment(target, key: key, value: value, attachmentMode: attachmentMode)
  }
}

/// Copies the attachments that should propagate.
public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
  let values = CMCopyDictionaryOfAttachments(
    allocator: nil, target: source, attachmentMode: kCMAttachmentMode_ShouldPropagate)
  CMSetAttachments(destination, attachments: values ?? [:], attachmentMode: kCMAttachmentMode_ShouldPropagate)
}
