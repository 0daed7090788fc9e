/// What a player said of itself at one moment, in plain values: it can be kept, sent and judged later.
public struct PlaybackSnapshot: Hashable, Codable, Sendable {
  public enum Status: String, Hashable, Codable, Sendable { case unknown, readyToPlay, failed }
  public enum Control: String, Hashable, Codable, Sendable { case paused, waiting, playing }

  /// An error by its domain and code, and the one below it.
  public struct Failure: Hashable, Codable, Sendable {
    public var domain: String
    public var code: Int
    public var message: String
    public var underlyingDomain: String?
    public var underlyingCode: Int?

    public init(
      domain: String, code: Int, message: String = "", underlyingDomain: String? = nil, underlyingCode: Int? = nil
    ) {
      self.domain = domain
      self.code = code
      self.message = message
      self.underlyingDomain = underlyingDomain
      self.underlyingCode = underlyingCode
    }
  }

  public struct Track: Hashable, Codable, Sendable {
    public enum Kind: String, Hashable, Codable, Sendable { case video, audio, other }

    public var kind: Kind
    public var id: Int
    public var isEnabled: Bool
    /// Pictures a second that are shown.
    public var pictureRate: Double

    public init(kind: Kind, id: Int, isEnabled: Bool = true, pictureRate: Double = 0) {
      self.kind = kind
      self.id = id
      self.isEnabled = isEnabled
      self.pictureRate = pictureRate
    }
  }

  /// Where the picture is to be seen.
  public struct View: Hashable, Codable, Sendable {
    public var width: Double
    public var height: Double
    /// Whether it shows this player.
    public var showsPlayer: Bool

    public init(width: Double, height: Double, showsPlayer: Bool = true) {
      self.width = width
      self.height = height
      self.showsPlayer = showsPlayer
    }
  }

  /// Seconds of a clock that goes on.
  public var hostTime = 0.0
  public var hasItem = false
  public var playerStatus = Status.unknown
  public var playerFailure: Failure?
  public var itemStatus = Status.unknown
  public var itemFailure: Failure?
  /// The newest entry of the item's error log.
  public var loggedFailure: Failure?
  public var control = Control.paused
  /// What `reasonForWaitingToPlay` says.
  public var waitingReason: String?
  public var rate = 0.0
  public var isMuted = false
  public var volume = 1.0
  /// Seconds; nil while unknown.
  public var time: Double?
  public var duration: Double?
  /// Seconds, each a beginning and an end.
  public var loadedRanges: [ClosedRange<Double>] = []
  public var isBufferEmpty = false
  public var droppedPictures = 0
  public var tracks: [Track] = []
  /// Whether somebody is to see the picture; false for players of sound alone and those whose pictures are pulled.
  public var wantsView = false
  public var view: View?

  public init() {}
}
