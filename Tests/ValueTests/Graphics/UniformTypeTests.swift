import Foundation
import Testing
import UniformTypeIdentifiers

@Suite struct UniformTypeTests {
  @Test(arguments: [
    ("mp4", UTType.mpeg4Movie, "video/mp4"), ("MOV", .quickTimeMovie, "video/quicktime"), ("mp3", .mp3, "audio/mpeg"),
    ("wav", .wav, "audio/vnd.wave"), ("aif", .aiff, "audio/aiff"), ("png", .png, "image/png"),
    ("jpg", .jpeg, "image/jpeg"), ("webp", .webP, "image/webp"), ("ts", .mpeg2TransportStream, "video/mp2t"),
    ("avi", .avi, "video/avi"), ("m3u8", .m3uPlaylist, "audio/mpegurl"),
    ("txt", .plainText, "text/plain"),
  ])
  func extensions_nameTypes(filenameExtension: String, type: UTType, mime: String) {
    #expect(UTType(filenameExtension: filenameExtension) == type)
    #expect(type.preferredMIMEType == mime)
    #expect(UTType(mimeType: mime) == type)
  }

  @Test func mimeParameters_andCaseDoNotCount() {
    #expect(UTType(mimeType: "Video/MP4; codecs=\"avc1\"") == .mpeg4Movie)
    #expect(UTType("PUBLIC.MPEG-4") == .mpeg4Movie && UTType("no.such.type") == nil)
    // The only type that is declared with a parameter.
    #expect(UTType(mimeType: "text/plain; charset=UTF-8") == .utf8PlainText)
    #expect(UTType(mimeType: "text/plain; charset=latin1") == .plainText)
  }

  @Test(arguments: [("m4v", "com.apple.m4v-video"), ("m4a", "com.apple.m4a-audio")])
  func extensionsOfTwoTypes_nameTheUnprotectedAndNarrowerOne(filenameExtension: String, identifier: String) {
    #expect(UTType(filenameExtension: filenameExtension)?.identifier == identifier)
  }

  @Test func conformance_isTransitive() {
    #expect(UTType.mpeg4Movie.conforms(to: .movie) && UTType.mpeg4Movie.conforms(to: .audiovisualContent))
    #expect(UTType.mpeg4Movie.conforms(to: .data) && UTType.mpeg4Movie.conforms(to: .mpeg4Movie))
    #expect(!UTType.mpeg4Movie.conforms(to: .audio) && UTType.mp3.conforms(to: .audio))
    #expect(UTType.mpeg4Audio.conforms(to: .audio) && UTType.mpeg4Audio.conforms(to: .mpeg4Movie))
    #expect(UTType.video.conforms(to: .movie) && UTType.aiff.conforms(to: .audio))
    #expect(UTType.m3uPlaylist.conforms(to: .playlist) && UTType.m3uPlaylist.conforms(to: .text))
    #expect(UTType.movie.isSupertype(of: .avi) && UTType.avi.isSubtype(of: .movie) && !UTType.avi.isSubtype(of: .avi))
  }

  @Test func supertype_choosesAmongTypesWithATag() {
    #expect(UTType(filenameExtension: "mp4", conformingTo: .audio) == .mpeg4Audio)
    #expect(UTType(filenameExtension: "png", conformingTo: .audio) == nil)
    #expect(UTType.types(tag: "m4v", tagClass: .filenameExtension, conformingTo: nil).count == 2)
  }

  @Test func unknownTags_giveDynamicTypesThatRememberThem() throws {
    let type = try #require(UTType(filenameExtension: "sprocketfile"))
    #expect(type.isDynamic && !type.isDeclared && type.conforms(to: .data))
    #expect(type.preferredFilenameExtension == "sprocketfile")
    #expect(UTType(type.identifier) == type && type.identifier.hasPrefix("dyn.ah62d4rv4ge"))
    #expect(UTType(mimeType: "video/x-unheard-of")?.preferredMIMEType == "video/x-unheard-of")
    #expect(UTType(filenameExtension: "") == nil && UTType("dyn.a!!") == nil && UTType("dyn.a") == nil)
  }

  @Test func everyDeclaredSupertype_isDeclared() {
    for type in [UTType.mpeg4Audio, .m3uPlaylist, .svg, .heic, .appleProtectedMPEG4Video, .pdf] {
      #expect(type.supertypes.allSatisfy(\.isDeclared) && type.supertypes.contains(.item) == type.conforms(to: .data))
    }
  }

  @Test func types_areCodedByIdentifier() throws {
    let data = try JSONEncoder().encode([UTType.mp3])
    #expect(String(decoding: data, as: UTF8.self) == "[\"public.mp3\"]")
    #expect(try JSONDecoder().decode([UTType].self, from: data) == [.mp3])
  }
}
