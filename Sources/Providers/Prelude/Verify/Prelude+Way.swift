import Domain

extension Prelude {
  /// The way that one attempt takes. Source: contract 3.4 and 4.2.
  struct Way {
    /// How the core knows it.
    let channel: Channel
    /// `message`, `silent`, `voice` or `email`.
    let method: String
    /// The channels that the answer names, in their order; nil for email, which has no word there.
    let channels: [String]?

    /// A way by one of the vendor's words for message channels.
    static func message(_ words: [String]) -> Way {
      guard let first = words.first, let channel = Channel(rawValue: first) else {
        preconditionFailure("no channel: \(words)")
      }
      return Way(channel: channel, method: "message", channels: words)
    }

    static let email = Way(channel: .email, method: "email", channels: nil)
    static let voice = Way(channel: .call, method: "voice", channels: ["voice"])
    static let silent = Way(channel: .silent, method: "silent", channels: ["silent", "sms"])
  }
}

extension Channel {
  /// The vendor's word. Source: contract 3.4.
  var preludeWord: String { self == .call ? "voice" : rawValue }
}

extension Prelude.Creation {
  /// The way of the next attempt: the caller's wish first, then silently where that can be, then the channels
  /// of the window in turn.
  func way() throws -> Prelude.Way {
    if target.number == nil { return .email }
    switch form.options.method {
    case .voice where window.status != "challenged": return .voice
    case .auto where try !window.isTest && isSilentEligible(): return .silent
    default: return .message(messageChannels)
    }
  }

  /// The channel of the next message; where the caller has named some, those that follow it behind it.
  private var messageChannels: [String] {
    let all = candidates
    if let preferred = form.options.preferredChannel, all.contains(preferred) { return [preferred] }
    let sent = open?.attempts.all.filter { $0.channel != .silent && $0.channel != .call }.count ?? 0
    let turn = sent % all.count
    return window.channels == nil ? [all[turn]] : Array(all[turn...] + all[..<turn])
  }

  /// The channels that the window may use; a challenge leaves out texts.
  private var candidates: [String] {
    let all = window.channels ?? call.knobs.channels
    guard window.status == "challenged" else { return all }
    let challenging = all.filter { $0 != "sms" && $0 != "rcs" }
    return challenging.isEmpty ? ["whatsapp"] : challenging
  }
}
