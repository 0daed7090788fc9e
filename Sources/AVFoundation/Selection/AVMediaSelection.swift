public import Foundation
import MediaEngine

/// Which option of each group is selected.
open class AVMediaSelection: NSObject, NSCopying, NSMutableCopying {
  /// The asset; not kept alive.
  public private(set) weak var asset: AVAsset?
  /// By characteristic: the track, or nil for none. A missing key means the group's default.
  var choices: [AVMediaCharacteristic: Int32?]
  /// Characteristics for which somebody chose explicitly.
  var explicit: Set<AVMediaCharacteristic>

  init(asset: AVAsset?, choices: [AVMediaCharacteristic: Int32?], explicit: Set<AVMediaCharacteristic> = []) {
    self.asset = asset
    self.choices = choices
    self.explicit = explicit
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    AVMediaSelection(asset: asset, choices: choices, explicit: explicit)
  }

  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    AVMutableMediaSelection(asset: asset, choices: choices, explicit: explicit)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVMediaSelection else { return false }
    return asset === other.asset && choices == other.choices
  }

  open override var hash: Int { choices.count }

  open func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
    guard let choice = choices[mediaSelectionGroup.characteristic] else { return mediaSelectionGroup.defaultOption }
    return mediaSelectionGroup.options.first { $0.track.id == choice }
  }

  /// Whether nobody has chosen in this group, so that the player's criteria decide.
  open func mediaSelectionCriteriaCanBeAppliedAutomatically(to mediaSelectionGroup: AVMediaSelectionGroup) -> Bool {
    !explicit.contains(mediaSelectionGroup.characteristic)
  }
}

/// A selection that can be changed.
open class AVMutableMediaSelection: AVMediaSelection {
  /// Options of other groups are ignored, and none where the group allows no empty selection.
  open func select(
    _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
  ) {
    guard mediaSelectionGroup.canSelect(mediaSelectionOption) else { return }
    choices[mediaSelectionGroup.characteristic] = .some(mediaSelectionOption?.track.id)
    explicit.insert(mediaSelectionGroup.characteristic)
  }
}

extension AVMediaSelectionGroup {
  func canSelect(_ option: AVMediaSelectionOption?) -> Bool {
    guard let option else { return allowsEmptySelection }
    return options.contains(option)
  }
}

extension AVAsset {
  func mediaSelection(of description: MediaDescription?) -> AVMediaSelection {
    var choices: [AVMediaCharacteristic: Int32?] = [:]
    if let description {
      for characteristic in description.selectableCharacteristics {
        let option = AVMediaSelectionGroup(description, characteristic)?.defaultOption
        choices[characteristic] = .some(option?.track.id)
      }
    }
    return AVMediaSelection(asset: self, choices: choices)
  }

  /// Most selections that are listed: media with more have more than anybody looks through.
  private static let mostSelections = 1_000

  /// Every combination of the groups' options, and of nothing where that may be chosen; the preferred one first.
  func mediaSelections(of description: MediaDescription?) -> [AVMediaSelection] {
    guard let description else { return [mediaSelection(of: nil)] }
    var combinations: [[AVMediaCharacteristic: Int32?]] = [[:]]
    for characteristic in description.selectableCharacteristics {
      guard let group = AVMediaSelectionGroup(description, characteristic) else { continue }
      let first = group.defaultOption?.track.id
      let others = group.options.map { Int32?.some($0.track.id) } + (group.allowsEmptySelection ? [nil] : [])
      let choices = [first] + others.filter { $0 != first }
      var longer: [[AVMediaCharacteristic: Int32?]] = []
      for combination in combinations {
        for choice in choices.prefix(Self.mostSelections - longer.count) {
          longer.append(combination.merging([characteristic: choice]) { $1 })
        }
      }
      combinations = longer
    }
    return combinations.map { AVMediaSelection(asset: self, choices: $0) }
  }
}
