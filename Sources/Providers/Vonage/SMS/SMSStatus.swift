import ProviderKit

/// The statuses of SMS, whose answers are always 200. Source: `senders.md` 5.
enum SMSStatus: Int, ErrorName {
  case throttled = 1
  case missing = 2
  case invalid = 3
  case credentials = 4
  case internalError = 5
  case unroutable = 6
  case barredNumber = 7
  case barredAccount = 8
  case quota = 9
  case tooLong = 12
  case signature = 14
  case sender = 15
  case blocked = 17
  case network = 22
  case callback = 23
  case demoAccount = 29
  case signatureAndSecret = 32
  case deactivated = 33
  case noCampaign = 101

  static var table: ErrorTable { VonageProvider.errorTable }
  var format: String? { "sms" }

  /// With the same number, or `internalError`.
  init(_ status: LegacyStatus) { self = SMSStatus(rawValue: status.rawValue) ?? .internalError }

  /// What the carrier's answer to the submission leads to. The sandbox's decision.
  init(_ refusal: DeliveryReceipt) {
    switch SubmitStatus.allCases.first(where: { $0.commandStatus == refusal.error }) {
    case .throttled?: self = .throttled
    case .invalidDestination?: self = .unroutable
    case .refused?: self = .blocked
    case .queueFull?, .systemError?, .deliveryFailure?, nil: self = .internalError
    }
  }
}
