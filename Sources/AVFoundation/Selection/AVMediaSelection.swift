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
        choices[characteristic] = AVMediaSelectionGroup(description, characteristic)?.defaultOption?.track.id
      }
    }
    return AVMediaSelection(asset: self, choices: choices)
  }

  func mediaSelections(of description: MediaDescription?) -> [AVMediaSelection] {
    let preferred = mediaSelection(of: description)
    var selections = [preferred]
    guard let description else { return selections }
    for characteristic in description.selectableCharacteristics {
      guard let group = AVMediaSelectionGroup(description, characteristic) else { continue }
      for option in group.options where option != group.defaultOption {
        guard let other = preferred.mutableCopy() as? AVMutableMediaSelection else { continue }
        other.choices[characteristic] = .some(option.track.id)
        selections.append(other)
      }
    }
    return selections
  }
}
