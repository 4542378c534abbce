/// The kind of a line. Source: `carrier.md` 1.4.
package enum LineType: String, CaseIterable, Sendable {
  case mobile
  case landline
  /// Voice over IP at a known address.
  case fixedVoip = "fixed_voip"
  case nonFixedVoip = "non_fixed_voip"
  case tollFree = "toll_free"
  case premium
  case sharedCost = "shared_cost"
  case personal
  case pager
  case voicemail
  /// A universal access number.
  case uan
  case unknown

  /// True if the line can receive texts. Source: `carrier.md` 4.3, the default outcome.
  package var takesTexts: Bool {
    switch self {
    case .landline, .premium, .sharedCost, .voicemail, .uan: false
    case .mobile, .fixedVoip, .nonFixedVoip, .tollFree, .personal, .pager, .unknown: true
    }
  }
}
