/// `apns-push-type`. Source: contract 2;
/// https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
enum PushType: String, CaseIterable {
  case alert
  case background
  case complication
  case controls
  case fileprovider
  case liveactivity
  case location
  case mdm
  case pushtotalk
  case voip
  case widgets

  /// What follows the bundle id in the topic.
  var topicSuffix: String {
    switch self {
    case .alert, .background, .mdm: ""
    case .complication: ".complication"
    case .controls: ".push-type.controls"
    case .fileprovider: ".pushkit.fileprovider"
    case .liveactivity: ".push-type.liveactivity"
    case .location: ".location-query"
    case .pushtotalk: ".voip-ptt"
    case .voip: ".voip"
    case .widgets: ".push-type.widgets"
    }
  }

  /// The most bytes of a payload.
  var maxSize: Int { self == .voip ? 5120 : 4096 }
}

/// `apns-topic`: a bundle id, with a suffix for some types of pushes.
struct Topic: Equatable {
  let text: String
  let bundleID: String
  /// The type whose suffix it has; nil: none.
  let suffixed: PushType?

  static func isValid(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
      }
  }

  /// Nil for text that is no topic.
  init?(_ text: String) {
    guard Self.isValid(text) else { return nil }
    self.text = text
    let type = PushType.allCases.first { !$0.topicSuffix.isEmpty && text.hasSuffix($0.topicSuffix) }
    suffixed = type
    bundleID = String(text.dropLast(type?.topicSuffix.utf8.count ?? 0))
    guard !bundleID.isEmpty else { return nil }
  }
}
