import Domain
import ProviderKit

/// A way that a message can take, in the vendor's words. Source: contract 9.2.
enum OmnichannelChannel: String, CaseIterable {
  case sms
  case mms
  case rcs
  case rbm
  case whatsapp
  case viber

  /// How it travels here. The carrier has no pictures: an MMS is its words.
  var channel: Channel {
    switch self {
    case .sms, .mms: .sms
    case .rcs, .rbm: .rcs
    case .whatsapp: .whatsapp
    case .viber: .viber
    }
  }

  /// The names under which a request may word its message: the channel's own, and the older or newer one.
  var names: [String] {
    switch self {
    case .rcs: ["rcs", "rbm"]
    case .rbm: ["rbm", "rcs"]
    default: [rawValue]
    }
  }

  /// Whether a line has it.
  func reaches(_ line: Line, at time: Timestamp) -> Bool {
    let subscriber = line.subscriber
    guard !subscriber.isDeactivated(at: time), subscriber.lineType.takesTexts else { return false }
    return switch self {
    case .sms, .viber: true
    case .mms: line.phoneType.hasCard
    case .rcs, .rbm: subscriber.rcs
    case .whatsapp: subscriber.whatsapp
    }
  }
}
