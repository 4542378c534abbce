import ProviderKit

/// What an identifier names. Source: contract 3.4.
enum IdentifierKind {
  case token, correlation, auth, device, identity, attribute, domain

  private var label: StaticString {
    switch self {
    case .token: "prove token"
    case .correlation: "prove correlation"
    case .auth: "prove auth"
    case .device: "prove device"
    case .identity: "prove identity"
    case .attribute: "prove attribute"
    case .domain: "prove domain"
    }
  }

  /// True for an id that devices use without another credential. Source: contract 6.2.
  private var isToken: Bool { self == .auth || self == .token }

  /// A new UUID of version 4, unique in the sandbox.
  func new(in sandbox: Sandbox) -> String {
    let entropy = isToken ? sandbox.tokenEntropy : sandbox.entropy
    return UUIDText.version4(entropy.identifier(label, sandbox.nextOrdinal(), 0))
  }
}
