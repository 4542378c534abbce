import Domain
import ProviderKit

/// The way that one attempt takes. Source: contract 3.4 and 4.2.
struct SendingMethod {
  /// How the core knows it.
  let channel: Channel
  /// `message`, `silent`, `voice` or `email`.
  let method: String
  /// The channels that the answer names, in their order; nil for email, which has no word there.
  let channels: [String]?

  /// A way by one of the vendor's words for message channels.
  static func message(_ words: [String]) -> SendingMethod {
    guard let first = words.first, let channel = Channel(rawValue: first) else {
      preconditionFailure("no channel: \(words)")
    }
    return SendingMethod(channel: channel, method: "message", channels: words)
  }

  static let email = SendingMethod(channel: .email, method: "email", channels: nil)
  static let voice = SendingMethod(channel: .call, method: "voice", channels: ["voice"])
  static let silent = SendingMethod(channel: .silent, method: "silent", channels: ["silent", "sms"])
}

extension Channel {
  /// The vendor's word. Source: contract 3.4.
  var preludeWord: String { self == .call ? "voice" : rawValue }
}

extension Creation {
  /// The way of the next attempt: the caller's wish first, then silently where that can be, then the channels
  /// of the window in turn.
  func sendingMethod() throws -> SendingMethod {
    if target.number == nil { return .email }
    switch form.options.method {
    case .voice where window.status != "challenged": return .voice
    case .auto where try !window.isTest && isSilentEligible(): return .silent
    default: return .message(window.nextChannels(after: open?.attempts.all ?? [], call.settings))
    }
  }
}

/// The channels of a window's messages, which go through them in turn. Source: contract 3.2 and 4.2.
extension Window {
  /// The channels of the next message, that which it takes first: one that was not tried yet, as long as there is
  /// one. Where the caller has named some, those that follow it stand behind it.
  func nextChannels(after attempts: [Attempt], _ settings: Settings) -> [String] {
    let all = candidates(settings)
    return untriedChannels(after: attempts, settings)
      ?? shown(all, from: attempts.filter { all.contains($0.channel.preludeWord) }.count % all.count)
  }

  /// The same where a channel was not tried yet; else nil.
  func untriedChannels(after attempts: [Attempt], _ settings: Settings) -> [String]? {
    let (all, tried) = (candidates(settings), attempts.map(\.channel.preludeWord))
    return all.firstIndex { !tried.contains($0) }.map { shown(all, from: $0) }
  }

  private func shown(_ all: [String], from turn: Int) -> [String] {
    channels == nil ? [all[turn]] : Array(all[turn...] + all[..<turn])
  }

  /// The channels that the window may use, the preferred one first; a challenge leaves out texts.
  private func candidates(_ settings: Settings) -> [String] {
    var all = channels ?? settings.channels
    if status == "challenged" {
      all.removeAll { $0 == "sms" || $0 == "rcs" }
      if all.isEmpty { all = ["whatsapp"] }
    }
    guard let preferredChannel, all.contains(preferredChannel) else { return all }
    return [preferredChannel] + all.filter { $0 != preferredChannel }
  }
}
