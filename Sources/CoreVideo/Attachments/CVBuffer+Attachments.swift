/// Whether an attachment goes along when a buffer is made from another.
public enum CVAttachmentMode: UInt32, Sendable {
  case shouldNotPropagate = 0
  case shouldPropagate = 1
}

extension CVBuffer {
  struct Attachment {
    var value: Any
    var mode: CVAttachmentMode
    /// Made on demand for callers that want an unretained reference, and kept so that it stays valid.
    var reference: AnyObject?
  }
}

/// Attaches a value, in place of one that has the key already.
public func CVBufferSetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode
) {
  setAttachments(of: buffer, [key: value], attachmentMode)
}

/// What was there goes after unlocking: a value's deinit may come back to the buffer.
private func setAttachments(of buffer: CVBuffer, _ values: CFDictionary, _ mode: CVAttachmentMode) {
  let replaced = buffer.attachments.withLock { attachments in
    values.map { key, value in
      attachments.updateValue(CVBuffer.Attachment(value: value, mode: mode), forKey: key)
    }
  }
  withExtendedLifetime(replaced) {}
}

/// Attaches all values of a dictionary.
public func CVBufferSetAttachments(
  _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
) {
  setAttachments(of: buffer, theAttachments, attachmentMode)
}

/// A value and its mode; nil when there is none.
public func CVBufferCopyAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
  let attachment = buffer.attachments.withLock { $0[key] }
  if let attachment { attachmentMode?.pointee = attachment.mode }
  return attachment?.value
}

/// As `CVBufferCopyAttachment`, in the older form; valid while the attachment stays.
public func CVBufferGetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Unmanaged<AnyObject>? {
  buffer.attachments.withLock { attachments in
    guard var attachment = attachments[key] else { return nil }
    let reference = attachment.reference ?? referenceForm(attachment.value)
    attachment.reference = reference
    attachments[key] = attachment
    attachmentMode?.pointee = attachment.mode
    return Unmanaged.passUnretained(reference)
  }
}

/// All values of a mode; nil when there are none.
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
  let values = buffer.attachments.withLock { attachments in
    attachments.filter { $0.value.mode == attachmentMode }.mapValues(\.value)
  }
  return values.isEmpty ? nil : values
}

/// As `CVBufferCopyAttachments`.
public func CVBufferGetAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
  CVBufferCopyAttachments(buffer, attachmentMode)
}

public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool {
  buffer.attachments.withLock { $0[key] != nil }
}

public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
  let removed = buffer.attachments.withLock { $0.removeValue(forKey: key) }
  withExtendedLifetime(removed) {}
}

public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) {
  let removed = buffer.attachments.withLock { attachments in
    defer { attachments = [:] }
    return attachments
  }
  withExtendedLifetime(removed) {}
}

/// Copies the attachments that should propagate.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
  let values = CVBufferCopyAttachments(sourceBuffer, .shouldPropagate) ?? [:]
  CVBufferSetAttachments(destinationBuffer, values, .shouldPropagate)
}
