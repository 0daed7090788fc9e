import Glibc

/// The shared libraries that are mapped into the process, for tests of what start-up loads.
package enum MappedLibraries {
  /// File names such as `libavcodec.so.59.37.100`, sorted, each once.
  package static var names: [String] {
    guard let file = fopen("/proc/self/maps", "re") else { return [] }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    var names: Set<String> = []
    while getline(&line, &capacity, file) > 0, let line {
      let path = String(cString: line).split(separator: " ").last?.split(separator: "/").last ?? ""
      let name = path.last == "\n" ? path.dropLast() : path
      if name.hasSuffix(".so") || name.contains(".so.") { names.insert(String(name)) }
    }
    return names.sorted()
  }
}
