import Database

/// A key pair that a provider signs with, as text in PEM.
package struct SigningKey: Equatable, Sendable {
  /// The private key.
  package let privatePEM: String
  /// The public key, for whoever checks signatures.
  package let publicPEM: String

  /// A pair from its parts, which belong together.
  package init(privatePEM: String, publicPEM: String) {
    self.privatePEM = privatePEM
    self.publicPEM = publicPEM
  }
}

/// The keys of a sandbox. They come from its seeds and protect nothing real.
package struct SigningKeys {
  /// What a key is for.
  package enum Purpose: String, CaseIterable, Sendable {
    /// It signs webhooks.
    case webhooks
    /// Clients that sign in with a key of their own are given this one.
    case accounts
  }

  let sandbox: Sandbox

  /// The key for a purpose; nil where no seed has brought one.
  package subscript(purpose: Purpose) -> SigningKey? {
    get throws {
      try sandbox.database.first(
        "SELECT private_pem, public_pem FROM signing_keys WHERE sandbox = ? AND name = ?", sandbox.id,
        purpose.rawValue
      ) { SigningKey(privatePEM: $0.text(0), publicPEM: $0.text(1)) }
    }
  }

  /// Replaces the key for a purpose.
  package func keep(_ key: SigningKey, for purpose: Purpose) throws {
    try sandbox.database.run(
      """
      INSERT INTO signing_keys (sandbox, name, private_pem, public_pem) VALUES (?, ?, ?, ?)
      ON CONFLICT (sandbox, name) DO UPDATE SET private_pem = excluded.private_pem,
        public_pem = excluded.public_pem
      """, sandbox.id, purpose.rawValue, key.privatePEM, key.publicPEM)
  }
}
