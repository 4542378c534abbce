import Domain
import JSON
import ProviderKit

/// What an identifier names. Source: contract 3.4.
enum IdentifierKind {
  case token, correlation, auth, device, identity, attribute, domain

  fileprivate var label: StaticString {
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
  fileprivate var isToken: Bool { self == .auth || self == .token }
}

/// A new UUID of version 4, unique in the sandbox.
func newUUID(_ kind: IdentifierKind, in sandbox: Sandbox) -> String {
  let entropy = kind.isToken ? sandbox.tokenEntropy : sandbox.entropy
  return uuidOfVersion4(entropy.identifier(kind.label, sandbox.nextOrdinal(), 0))
}

/// True for a UUID in lower case, of any version.
func isUUID(_ text: String) -> Bool {
  text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count) == [8, 4, 4, 4, 12]
    && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isDigit || (0x61...0x66).contains($0) }
}
