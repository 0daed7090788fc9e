public import Foundation

/// Access to files beyond a sandbox, as source written for Apple's systems asks for it.
///
/// Linux grants access when a file is opened. An item's file stays open while the item has a player, so that it plays on
/// when the file is renamed or unlinked; an asset that nothing plays lets go of its file ten seconds after it was loaded,
/// and its next item opens the address again. These members answer whether the file can be read, and give nothing back.
extension URL {
  /// True when the file can be read now. Every `true` is to be balanced by `stopAccessingSecurityScopedResource`, as at
  /// Apple's, although nothing is held here.
  public func startAccessingSecurityScopedResource() -> Bool {
    isFileURL && FileManager.default.isReadableFile(atPath: path)
  }

  public func stopAccessingSecurityScopedResource() {}
}
