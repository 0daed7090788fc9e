import Foundation

func complain(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}

struct UsageError: Error, CustomStringConvertible {
  var description: String
}
