import Foundation
import MediaDiagnosis

/// The list of decoders, for people or scripts.
enum DecoderListing {
  static func show(asJSON: Bool) throws {
    let decoders = MediaInspector.decoders()
    if asJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      ProgramOutput.write(String(decoding: try encoder.encode(decoders), as: UTF8.self) + "\n")
      return
    }
    let width = decoders.map(\.name.count).max() ?? 0
    for decoder in decoders {
      let name = decoder.name + String(repeating: " ", count: width - decoder.name.count)
      var line = "\(decoder.kind)  \(name)  \(decoder.summary)"
      if !decoder.hardware.isEmpty {
        let found = decoder.found.isEmpty ? "none found here" : "found: \(decoder.found.joined(separator: ", "))"
        line += "  [hardware: \(decoder.hardware.joined(separator: ", ")); \(found)]"
      }
      if decoder.isExperimental { line += "  (experimental)" }
      ProgramOutput.write(line + "\n")
    }
  }
}
