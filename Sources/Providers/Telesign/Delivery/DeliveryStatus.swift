import Domain
import ProviderKit

/// The delivery of a message in the provider's terms. Source: contract 14 and 15.1.
enum DeliveryStatus: Equatable {
  case inProgress
  case atGateway
  case delivered
  case read
  case failed
  case temporaryPhoneError
  case permanentPhoneError
  case expired
  case unsupported
  case channelUnsupported
  case blocked
  case unknown
  case unconfirmed
  case rejectedTemporarily
  case rejectedPermanently
  case blockedBySubscriber
  case subscriberAbsent
  case suspectedSpam

  /// The status at a time, from the carrier's receipts until then.
  init(of message: Message, at time: Timestamp) {
    guard let last = message.receipts(by: time).last else {
      self = Self.withoutReceipt(message, after: time - message.submittedAt)
      return
    }
    switch last.state {
    case .accepted: self = .inProgress
    case .enroute: self = .atGateway
    case .delivered: self = .delivered
    case .read: self = .read
    case .expired: self = .expired
    case .undeliverable: self = Self.undeliverable(last.error)
    case .rejected: self = Self.rejected(last.error)
    case .refused:
      self =
        last.error == SubmitStatus.throttled.commandStatus ? .rejectedTemporarily : .rejectedPermanently
    }
  }

  /// `status.code` of SMS. Source: contract 14, 2xx and 5xx.
  var smsCode: Int { codes.sms }

  /// `status.code` of omnichannel messages and of the methods of a verification. Source: contract 14, 30xx.
  var omnichannelCode: Int { codes.omnichannel }

  var isFinal: Bool { self != .inProgress && self != .atGateway }

  private var codes: (sms: Int, omnichannel: Int) {
    switch self {
    case .inProgress: (290, 3001)
    case .atGateway: (203, 3002)
    case .delivered: (200, 3000)
    case .read: (200, 3005)
    case .failed: (207, 3003)
    case .temporaryPhoneError: (210, 3030)
    case .permanentPhoneError: (211, 3031)
    case .expired: (221, 3033)
    case .unsupported: (222, 3034)
    case .channelUnsupported: (516, 3055)
    case .blocked: (230, 3053)
    case .unknown: (250, 3039)
    case .unconfirmed: (251, 3004)
    case .rejectedTemporarily: (503, 3041)
    case .rejectedPermanently: (504, 3042)
    case .blockedBySubscriber: (510, 3046)
    case .subscriberAbsent: (514, 3050)
    case .suspectedSpam: (515, 3051)
    }
  }

  private static func withoutReceipt(_ message: Message, after elapsed: Duration) -> DeliveryStatus {
    let ending = NumberEnding(rawValue: String(message.destination.suffix(4)))
    guard message.receipts.isEmpty, ending != .inProgress else { return .inProgress }
    if ending == .unknownOutcome { return elapsed >= unknownAfter ? .unknown : .inProgress }
    return elapsed >= unconfirmedAfter ? .unconfirmed : .inProgress
  }

  /// How long the status is in progress if the number's ending asks for an unknown outcome.
  static let unknownAfter = Duration.seconds(1)
  /// How long the provider waits for a receipt.
  static let unconfirmedAfter = Duration.seconds(60)

  private static func undeliverable(_ error: Int) -> DeliveryStatus {
    switch error {
    case 1: .permanentPhoneError
    case 40: .temporaryPhoneError
    case 60: .subscriberAbsent
    default: .failed
    }
  }

  private static func rejected(_ error: Int) -> DeliveryStatus {
    switch error {
    case 0: .suspectedSpam
    case 11: .unsupported
    case 13: .blockedBySubscriber
    case 21: .channelUnsupported
    default: .blocked
    }
  }
}
