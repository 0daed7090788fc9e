import CFFmpeg
import Foundation
import MediaEngine

extension AttachedFont {
  /// Bytes of all fonts of a medium; what comes behind is left alone.
  private static let limit = 64 << 20

  /// The fonts among the files that a container has attached, told by their media type, else by their name.
  static func all(in context: UnsafeMutablePointer<AVFormatContext>) -> [AttachedFont] {
    var fonts: [AttachedFont] = []
    var size = 0
    for index in 0..<min(Int(context.pointee.nb_streams), Int(DescriptionBuilder.openLimit)) {
      guard let stream = context.pointee.streams[index]?.pointee, let parameters = stream.codecpar?.pointee,
        parameters.codec_type == AVMEDIA_TYPE_ATTACHMENT, let bytes = parameters.extradata,
        parameters.extradata_size > 0, size + Int(parameters.extradata_size) <= limit
      else { continue }
      let name = String(c: av_dict_get(stream.metadata, "filename", nil, 0)?.pointee.value, limit: 1_024) ?? ""
      let type = String(c: av_dict_get(stream.metadata, "mimetype", nil, 0)?.pointee.value, limit: 256) ?? ""
      guard isFont(type: type.lowercased(), name: name.lowercased()) else { continue }
      size += Int(parameters.extradata_size)
      fonts.append(AttachedFont(name: name, data: Data(bytes: bytes, count: Int(parameters.extradata_size))))
    }
    return fonts
  }

  private static func isFont(type: String, name: String) -> Bool {
    type.contains("font") || type.contains("opentype") || type.contains("truetype")
      || [".ttf", ".otf", ".ttc", ".otc", ".pfb"].contains { name.hasSuffix($0) }
  }
}
