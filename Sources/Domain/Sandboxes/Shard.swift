package import Basics

/// The name of one of several servers behind a load balancer: two letters from a to f, so that it can be part
/// of every provider's ids, also of hexadecimal ones.
///
/// The names and credentials of sandboxes that are created there start with it: `ab.ci-17`, `ACab…`. So a
/// load balancer finds the server of a request without asking anybody.
package struct Shard: Equatable, Sendable {
  package let name: String

  package static let expected = "two letters from a to f, such as ab"

  /// Nil for other text.
  package init?(_ name: String) {
    guard name.utf8.count == 2, name.utf8.allSatisfy({ (0x61...0x66).contains($0) }) else { return nil }
    self.name = name
  }

  /// The shard that a sandbox's name starts with: `ab` in `ab.ci-17`.
  package init?(of sandbox: String) {
    guard let end = sandbox.firstIndex(of: "."), let shard = Shard(String(sandbox[..<end])) else {
      return nil
    }
    self = shard
  }

  /// A sandbox's name with the shard's name before it.
  package func name(for sandbox: String) -> String {
    Shard(of: sandbox) == nil ? "\(name).\(sandbox)" : sandbox
  }
}

extension Sandbox {
  /// The public part of a new credential, such as the id of an account; always the same one for a label. In a
  /// sandbox of a shard it starts with the shard's name. `source`: by default the sandbox's entropy.
  package func credentialName(
    _ label: String, length: Int, of alphabet: Entropy.Alphabet, from source: Entropy? = nil
  ) -> String {
    let text = (source ?? entropy).secret(label, length: length, of: alphabet)
    guard let shard = Shard(of: name) else { return text }
    return (alphabet == .base32 ? shard.name.uppercased() : shard.name) + text.dropFirst(shard.name.count)
  }
}
