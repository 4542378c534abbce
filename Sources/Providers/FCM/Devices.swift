import Domain
import ProviderKit

// Tokens and the devices behind them. Source: contract 4

/// Where a token leads.
enum Recipient {
  /// To an app on a device.
  case device(Device)
  /// To none any more.
  case former
  /// It is none of the vendor's, and why.
  case malformed(String)
}

/// Where a token leads; at its first use it becomes that of an app on a handset without a number.
func recipient(of token: String, app: String? = nil, in sandbox: Sandbox) throws -> Recipient {
  guard isToken(token) else { return .malformed("a token has no white space, and 1 to 4096 bytes") }
  switch try sandbox.devices.owner(ofToken: token) {
  case .device(let device): return .device(device)
  case .former: return .former
  case .nobody:
    if try Settings.current(in: sandbox).tokens == "known-only", !token.hasPrefix("sbx-") {
      return .malformed("no device has this token, and only known ones are taken")
    }
    var draft = Device.Draft(provider: FCMProvider.name, holder: token, app: app ?? "com.example.app:1.0.0")
    draft.pushToken = token
    return .device(try sandbox.devices.register(draft))
  }
}

private func isToken(_ text: String) -> Bool {
  (1...4096).contains(text.utf8.count) && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
}
