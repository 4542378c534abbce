/// The answer that a push gateway gives to pushes to a token. Source: `push-gateway.md` 4.
package enum TokenState: Equatable, Sendable {
  case ok
  /// The token is no longer valid.
  case unregistered
  /// The token is too old.
  case expired
  /// The token belongs to another project.
  case mismatch
  /// The token got too many pushes.
  case quota
  /// The gateway cannot sign in to the platform's push service.
  case thirdParty
  /// The next requests fail with 503, this many times.
  case flaky(Int)

  /// For errors: the valid texts.
  package static let expected =
    "ok, unregistered, expired, mismatch, quota, thirdparty, or flaky:N with N from 1 to 1000"

  /// Reads `ok`, `flaky:2`; nil for any other text.
  package init?(_ text: String) {
    switch text {
    case "ok": self = .ok
    case "unregistered": self = .unregistered
    case "expired": self = .expired
    case "mismatch": self = .mismatch
    case "quota": self = .quota
    case "thirdparty": self = .thirdParty
    default:
      guard text.hasPrefix("flaky:"), let count = Int(text.dropFirst(6)), (1...1000).contains(count),
        text == "flaky:\(count)"
      else { return nil }
      self = .flaky(count)
    }
  }

  /// The initial state of a token, which follows from its name: `sbx-a-gone`, `sbx-b-flaky2`.
  init(ofToken token: String) {
    let suffix = token.hasPrefix("sbx-") ? token.split(separator: "-").last ?? "" : ""
    switch suffix {
    case "gone": self = .unregistered
    case "expired": self = .expired
    case "foreign": self = .mismatch
    case "quota": self = .quota
    case "noapns": self = .thirdParty
    default: self = suffix.hasPrefix("flaky") ? TokenState("flaky:\(suffix.dropFirst(5))") ?? .ok : .ok
    }
  }

  /// The text that `init(_:)` reads.
  package var text: String {
    switch self {
    case .ok: "ok"
    case .unregistered: "unregistered"
    case .expired: "expired"
    case .mismatch: "mismatch"
    case .quota: "quota"
    case .thirdParty: "thirdparty"
    case .flaky(let count): "flaky:\(count)"
    }
  }

  /// The state after one more request.
  var afterOneRequest: TokenState {
    guard case .flaky(let count) = self else { return self }
    return count > 1 ? .flaky(count - 1) : .ok
  }
}
