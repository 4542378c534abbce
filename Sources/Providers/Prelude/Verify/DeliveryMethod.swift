import ProviderKit

/// A channel for messages that callers can choose. Source: contract 3.2.
enum MessageChannel: String, CaseIterable, Sendable {
  case sms, rcs, whatsapp, viber, zalo, telegram

  var channel: Channel {
    switch self {
    case .sms: .sms
    case .rcs: .rcs
    case .whatsapp: .whatsapp
    case .viber: .viber
    case .zalo: .zalo
    case .telegram: .telegram
    }
  }
}

extension Channel {
  /// The provider's name of the channel. Source: contract 3.4.
  var preludeName: String { self == .call ? "voice" : rawValue }
}

/// How one attempt is delivered. Source: contract 3.4 and 4.2.
struct DeliveryMethod {
  /// `method` in responses.
  enum Kind: String {
    case message, silent, voice, email
  }

  let channel: Channel
  let kind: Kind
  /// `channels` in responses: the channel of the attempt, then those that may follow. Nil for email.
  let channelNames: [String]?

  /// `channels` must not be empty.
  static func message(_ channels: [MessageChannel]) -> DeliveryMethod {
    DeliveryMethod(channel: channels[0].channel, kind: .message, channelNames: channels.map(\.rawValue))
  }

  static let email = DeliveryMethod(channel: .email, kind: .email, channelNames: nil)
  static let voice = DeliveryMethod(channel: .call, kind: .voice, channelNames: ["voice"])
  static let silent = DeliveryMethod(channel: .silent, kind: .silent, channelNames: ["silent", "sms"])

  /// The method of the next attempt: what the caller asks for, or silent verification if possible, or a
  /// message on the next channel.
  static func next(for creation: VerificationCreation) throws -> DeliveryMethod {
    if creation.target.number == nil { return .email }
    let stored = creation.stored
    switch creation.input.options.method {
    case .voice where stored.status != .challenged: return .voice
    case .auto where try !stored.isTest && SilentVerification(creation).isEligible(): return .silent
    default:
      let attempts = creation.pending?.attempts.all ?? []
      return .message(stored.nextChannels(after: attempts, creation.context.settings))
    }
  }
}

// Which channels the messages of a verification use, in turn. Source: contract 3.2 and 4.2.
extension StoredVerification {
  /// The channel of the next message: the first untried one, or else the next in turn. If the caller chose
  /// the channels, the others follow it.
  func nextChannels(after attempts: [Attempt], _ settings: Settings) -> [MessageChannel] {
    if let untried = untriedChannels(after: attempts, settings) { return untried }
    let allowed = allowedChannels(settings)
    let tried = attempts.count { attempt in allowed.contains { $0.channel == attempt.channel } }
    return rotated(allowed, from: tried % allowed.count)
  }

  /// The same, or nil if all channels were tried.
  func untriedChannels(after attempts: [Attempt], _ settings: Settings) -> [MessageChannel]? {
    let allowed = allowedChannels(settings)
    let untried = allowed.firstIndex { channel in !attempts.contains { $0.channel == channel.channel } }
    return untried.map { rotated(allowed, from: $0) }
  }

  /// True if another automatic retry may follow the attempt of this number.
  func mayRetryAutomatically(after number: Int) -> Bool {
    Range(0, upTo: number).reversed().prefix { automaticAttempts.contains($0 + 1) }.count < fallbacks
  }

  private func rotated(_ allowed: [MessageChannel], from start: Int) -> [MessageChannel] {
    channels == nil ? [allowed[start]] : Array(allowed[start...] + allowed[..<start])
  }

  /// The preferred channel comes first. Challenges exclude SMS and RCS.
  private func allowedChannels(_ settings: Settings) -> [MessageChannel] {
    // An empty list can be in a row of an earlier version.
    var allowed = channels.flatMap { $0.isEmpty ? nil : $0 } ?? settings.channels
    if status == .challenged {
      allowed.removeAll { $0 == .sms || $0 == .rcs }
      if allowed.isEmpty { allowed = [.whatsapp] }
    }
    guard let preferredChannel, allowed.contains(preferredChannel) else { return allowed }
    return [preferredChannel] + allowed.filter { $0 != preferredChannel }
  }
}
