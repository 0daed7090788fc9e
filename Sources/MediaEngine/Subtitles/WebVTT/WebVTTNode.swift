package import CoreMedia

/// A part of a cue's text (W3C WebVTT, “WebVTT Node Object”).
package indirect enum WebVTTNode: Hashable, Sendable {
  case text(String)
  case timestamp(CMTime)
  case element(WebVTTElement)
}

package struct WebVTTElement: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case `class` = "c"
    case italic = "i"
    case bold = "b"
    case underline = "u"
    case ruby, rt
    case voice = "v"
    case language = "lang"
  }

  package var kind: Kind
  package var classes: [String]
  /// The speaker of a voice, the tag of a language.
  package var annotation: String
  package var children: [WebVTTNode] = []

  package init(kind: Kind, classes: [String], annotation: String, children: [WebVTTNode] = []) {
    self.kind = kind
    self.classes = classes
    self.annotation = annotation
    self.children = children
  }
}
