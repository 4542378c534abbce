import Domain
import ProviderKit

/// How far a message has come, in the vendor's terms. Source: contract 14 and 15.1.
enum Delivery: Equatable {
  case inProgress
  case atGateway
  case delivered
  case read
  case failed
  case temporaryPhoneError
  case permanentPhoneError
  case expired
  case unsupported
  case noChannel
  case blocked
  case undecided
  case unconfirmed
  case refusedForNow
  case refused
  case stopped
  case absent
  case spam

  /// What the carrier has said of a message by a time.
  init(of message: Message, at time: Timestamp) {
    guard let last = message.receipts(by: time).last else {
      self = Self.silent(message, for: time - message.submittedAt)
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
    case .refused: self = last.error == SubmitStatus.throttled.commandStatus ? .refusedForNow : .refused
    }
  }

  /// The number in `status.code` of SMS. Source: contract 14, 2xx and 5xx.
  var sms: Int { codes.sms }

  /// The number of omnichannel messages and of the methods of a verification. Source: contract 14, 30xx.
  var omnichannel: Int { codes.omnichannel }

  /// Whether it is over, for better or worse.
  var isFinal: Bool { self != .inProgress && self != .atGateway }

  /// Whether the person will not get it.
  var isFailure: Bool {
    switch self {
    case .inProgress, .atGateway, .delivered, .read, .undecided, .unconfirmed: false
    default: true
    }
  }

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
    case .noChannel: (516, 3055)
    case .blocked: (230, 3053)
    case .undecided: (250, 3039)
    case .unconfirmed: (251, 3004)
    case .refusedForNow: (503, 3041)
    case .refused: (504, 3042)
    case .stopped: (510, 3046)
    case .absent: (514, 3050)
    case .spam: (515, 3051)
    }
  }

  /// A message of which nobody has said anything.
  private static func silent(_ message: Message, for span: Duration) -> Delivery {
    let ending = Ending(rawValue: String(message.destination.suffix(4)))
    guard message.receipts.all.isEmpty, ending != .inProgress else { return .inProgress }
    if ending == .undecided { return span >= .seconds(1) ? .undecided : .inProgress }
    return span >= timeout ? .unconfirmed : .inProgress
  }

  /// How long a receipt is waited for.
  private static let timeout = Duration.seconds(60)

  private static func undeliverable(_ error: Int) -> Delivery {
    switch error {
    case 1: .permanentPhoneError
    case 40: .temporaryPhoneError
    case 60: .absent
    default: .failed
    }
  }

  private static func rejected(_ error: Int) -> Delivery {
    switch error {
    case 0: .spam
    case 11: .unsupported
    case 13: .stopped
    case 21: .noChannel
    default: .blocked
    }
  }
}
