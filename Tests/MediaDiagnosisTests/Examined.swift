import FFmpegBackend
import Foundation
import MediaDiagnosis
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport

/// What the doctor says of a file.
func examined(
  _ url: URL, isQuick: Bool = false, limits: ExaminationLimits = ExaminationLimits(),
  sources: any SourceOpener = LocalSourceOpener()
) -> Diagnosis {
  let environment = EngineEnvironment(
    scheduler: RealScheduler.shared, backend: FFmpegMediaBackend(), sources: sources, audioSinks: CapturingAudioSinks())
  let examination = FileExamination(
    url, address: url.lastPathComponent, isQuick: isQuick, limits: limits, environment: environment)
  while true {
    if case .done(let diagnosis) = examination.step() { return diagnosis }
  }
}

extension Diagnosis {
  /// The findings' names, the gravest first.
  var names: [String] { findings.map(\.kind.rawValue) }

  func evidence(_ name: String, of kind: FindingKind) -> Double? {
    switch findings.first(where: { $0.kind == kind })?.evidence[name] {
    case .count(let value): Double(value)
    case .seconds(let value): value
    case .text, nil: nil
    }
  }
}

/// A file that a test makes, gone when the value is.
final class PlantedFile {
  let url: URL
  private let folder: URL

  init(_ name: String, _ bytes: [UInt8]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    url = folder.appendingPathComponent(name)
    try Data(bytes).write(to: url)
  }

  convenience init(_ name: String, text: String) throws { try self.init(name, Array(text.utf8)) }

  /// The first part of a clip, by its share.
  convenience init(_ name: String, cutting clip: String, to share: Double) throws {
    let bytes = try fixtureBytes(clip)
    try self.init(name, Array(bytes.prefix(Int(Double(bytes.count) * share))))
  }

  /// A clip in which each of these texts is replaced by another one of its length.
  convenience init(_ name: String, of clip: String, replacing old: String, by new: String) throws {
    try self.init(name, replaced(try fixtureBytes(clip), Array(old.utf8), Array(new.utf8)))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

func fixtureBytes(_ clip: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: try Fixture.url(clip))) }

func replaced(_ bytes: [UInt8], _ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
  var result = bytes
  for place in places(of: old, in: bytes) { result.replaceSubrange(place..<place + old.count, with: new) }
  return result
}

func places(of pattern: [UInt8], in bytes: [UInt8]) -> [Int] {
  guard let first = pattern.first, bytes.count >= pattern.count else { return [] }
  return (0...bytes.count - pattern.count).filter {
    bytes[$0] == first && bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
  }
}
