import Domain
import ProviderKit

/// What the vendor says of a line, from what the carrier knows of it. Source: contract 7 and 16.1.
struct LineFacts {
  /// The vendor's words for kinds of lines, as far as the carrier tells them apart.
  enum LineType: String {
    case fixedLine = "fixed_line"
    case mobile
    case other
    case pager
    case premiumRate = "premium_rate"
    case sharedCost = "shared_cost"
    case tollFree = "toll_free"
    case universalAccess = "universal_access"
    case unknown
    case voiceMail = "voice_mail"
    case voip
  }

  /// What a line stands out by.
  enum Flag: String {
    case ported
    case temporary
  }

  /// The line as the carrier knows it.
  let subscriber: Subscriber
  /// The kind of line.
  let lineType: LineType
  /// What it stands out by.
  let flags: [Flag]

  /// The facts of a number's line. What the vendor's table says of an ending holds where no record speaks;
  /// what the request or a seed's rule says goes before both. Source: contract 16.1.
  init(of number: PhoneNumber, in call: Call) throws {
    let (sandbox, line) = (call.sandbox, try call.sandbox.subscribers[number])
    let isSaid = try call.hasOwnScenario || NumberRule.outcome(for: number, in: sandbox) != nil
    let isRecorded = try sandbox.subscribers.recorded(number) != nil
    let outcome = isSaid || !isRecorded ? try call.outcome(of: number) : .success
    subscriber = line
    lineType = Self.lineType(of: outcome) ?? Self.lineType(line.lineType)
    // Disposable numbers are lines over the internet that are bound to no place.
    let isTemporary = outcome == .shadowBlocked || line.lineType == .nonFixedVoip
    flags = (line.ported ? [.ported] : []) + (isTemporary ? [.temporary] : [])
  }

  private static func lineType(of outcome: Outcome) -> LineType? {
    switch outcome {
    case .blockedInvalidPhoneLine: .fixedLine
    case .blockedInvalidPhoneNumber: .unknown
    default: nil
    }
  }

  private static func lineType(_ type: Subscriber.LineType) -> LineType {
    switch type {
    case .mobile: .mobile
    case .landline: .fixedLine
    case .fixedVoip, .nonFixedVoip: .voip
    case .tollFree: .tollFree
    case .premium: .premiumRate
    case .sharedCost: .sharedCost
    case .personal: .other
    case .pager: .pager
    case .voicemail: .voiceMail
    case .uan: .universalAccess
    case .unknown: .unknown
    }
  }
}
