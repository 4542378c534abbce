/// What a device's token is worth to whoever pushes to it. Source: `push-gateway.md` 4.
package enum TokenState: Equatable, Sendable {
  /// Pushes to it are taken.
  case ok
  /// It is a token no more.
  case unregistered
  /// It is another project's.
  case mismatch
  /// It got too many.
  case quota
  /// The gateway cannot sign in with the platform behind it.
  case thirdParty
  /// The gateway is down for so many requests.
  case flaky(Int)

  /// The forms that `init(_:)` takes, for whoever wrote another.
  package static let forms = "ok, unregistered, mismatch, quota, thirdparty, or flaky:N with N from 1 to 1000"

  /// Reads `ok`, `flaky:2`; nil for any other text.
  package init?(_ text: String) {
    switch text {
    case "ok": self = .ok
    case "unregistered": self = .unregistered
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

  /// What the name of a token says of it: `sbx-a-gone`, `sbx-b-flaky2`.
  init(ofToken token: String) {
    let suffix = token.hasPrefix("sbx-") ? token.split(separator: "-").last ?? "" : ""
    switch suffix {
    case "gone": self = .unregistered
    case "foreign": self = .mismatch
    case "quota": self = .quota
    case "noapns": self = .thirdParty
    default: self = suffix.hasPrefix("flaky") ? TokenState("flaky:\(suffix.dropFirst(5))") ?? .ok : .ok
    }
  }

  /// The text that reads back as this.
  package var text: String {
    switch self {
    case .ok: "ok"
    case .unregistered: "unregistered"
    case .mismatch: "mismatch"
    case .quota: "quota"
    case .thirdParty: "thirdparty"
    case .flaky(let count): "flaky:\(count)"
    }
  }

  /// What is left after one more request.
  var afterOneRequest: TokenState {
    guard case .flaky(let count) = self else { return self }
    return count > 1 ? .flaky(count - 1) : .ok
  }
}
