/// What a library found wrong with the media and went on in spite of: parts left out, made up or mended.
package struct Complaints: Hashable, Sendable {
  package var count = 0
  /// The first one, in the library's own words.
  package var first: String?

  package init() {}
}
