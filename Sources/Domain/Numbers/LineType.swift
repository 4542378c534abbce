extension Subscriber {
  /// What kind of line carries a number. Source: `carrier.md` 1.4.
  package enum LineType: String, CaseIterable, Sendable {
    /// A SIM card in a handset.
    case mobile
    /// A fixed line.
    case landline
    /// Voice over IP at a known address.
    case fixedVoip = "fixed_voip"
    /// Voice over IP anywhere.
    case nonFixedVoip = "non_fixed_voip"
    /// Free for the caller.
    case tollFree = "toll_free"
    /// Dear for the caller.
    case premium
    /// Paid in part by the called.
    case sharedCost = "shared_cost"
    /// Follows a person.
    case personal
    /// A pager.
    case pager
    /// A voice mailbox.
    case voicemail
    /// A universal access number.
    case uan
    /// Nobody knows.
    case unknown

    /// Whether a text can end here at all. Source: `carrier.md` 4.3, the default outcome.
    package var takesTexts: Bool {
      switch self {
      case .landline, .premium, .sharedCost, .voicemail, .uan: false
      case .mobile, .fixedVoip, .nonFixedVoip, .tollFree, .personal, .pager, .unknown: true
      }
    }
  }
}
