import Domain
import ProviderKit

/// What kind of phone a number is, with the vendor's code. Source: contract 10.2.
enum PhoneType: Int {
  case fixedLine = 1
  case mobile
  case prepaid
  case tollFree
  case voip
  case pager
  case payphone
  case invalid
  case restricted
  case personal
  case voicemail
  case other = 20
  case email = 30

  /// The vendor's word.
  var description: String {
    switch self {
    case .fixedLine: "FIXED_LINE"
    case .mobile: "MOBILE"
    case .prepaid: "PREPAID"
    case .tollFree: "TOLL_FREE"
    case .voip: "VOIP"
    case .pager: "PAGER"
    case .payphone: "PAYPHONE"
    case .invalid: "INVALID"
    case .restricted: "RESTRICTED"
    case .personal: "PERSONAL"
    case .voicemail: "VOICEMAIL"
    case .other: "OTHER"
    case .email: "EMAIL"
    }
  }

  /// The kind of a subscriber's line. The vendor has no kinds for dear and shared-cost numbers.
  init(of subscriber: Subscriber) {
    self =
      switch subscriber.lineType {
      case .mobile: subscriber.contract == .payAsYouGo ? .prepaid : .mobile
      case .landline: .fixedLine
      case .fixedVoip, .nonFixedVoip: .voip
      case .tollFree: .tollFree
      case .personal: .personal
      case .pager: .pager
      case .voicemail: .voicemail
      case .premium, .sharedCost, .uan, .unknown: .other
      }
  }

  /// Whether there is a SIM card behind it.
  var hasCard: Bool { self == .mobile || self == .prepaid }
}
