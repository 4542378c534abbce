import Crypto
import ProviderKit

/// The provider's own keys of a sandbox. They protect nothing real. Source: contract 4.4 and 5.3.
enum ServerKey: Int {
  /// Signs with the user: the second key of each account.
  case accounts
  /// Signs for the payer of the fees.
  case payer

  /// The pair, which follows from the sandbox's seed and name.
  func pair(in sandbox: Sandbox) -> P256PrivateKey? {
    let halves = [0, 1].map { sandbox.tokenEntropy.identifier("hyphen key", rawValue, $0) }
    // The first digit makes the number smaller than the order of the curve.
    return Hex.decode("7\(halves.joined().dropFirst())".utf8).flatMap { P256PrivateKey(number: $0) }
  }

  /// The point in 128 hex digits.
  func publicKey(in sandbox: Sandbox) -> String {
    pair(in: sandbox).flatMap { P256PublicKey(der: $0.publicDER) }?.hex ?? ""
  }
}

extension Account {
  func addServerKey(in sandbox: Sandbox) throws {
    var key = Key()
    key.kind = .server
    key.publicKey = ServerKey.accounts.publicKey(in: sandbox)
    key.name = "Hyphen"
    try add(key, in: sandbox)
  }
}
