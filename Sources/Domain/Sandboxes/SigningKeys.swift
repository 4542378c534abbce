import Database

/// A key pair for signatures, in PEM.
package struct SigningKey: Equatable, Sendable {
  package let privatePEM: String
  package let publicPEM: String

  package init(privatePEM: String, publicPEM: String) {
    self.privatePEM = privatePEM
    self.publicPEM = publicPEM
  }
}

/// The signing keys of a sandbox. They come from its seeds and protect nothing real.
package struct SigningKeys {
  package enum Purpose: String, CaseIterable, Sendable {
    /// Signs webhooks.
    case webhooks
    /// Given to clients that authenticate with a key.
    case accounts
  }

  let sandbox: Sandbox

  /// Nil if no seed has one.
  package subscript(purpose: Purpose) -> SigningKey? {
    get throws {
      try sandbox.database.first(
        "SELECT private_pem, public_pem FROM signing_keys WHERE sandbox = ? AND name = ?", sandbox.id,
        purpose.rawValue
      ) { SigningKey(privatePEM: $0.text(0), publicPEM: $0.text(1)) }
    }
  }

  package func save(_ key: SigningKey, for purpose: Purpose) throws {
    try sandbox.database.run(
      """
      INSERT INTO signing_keys (sandbox, name, private_pem, public_pem) VALUES (?, ?, ?, ?)
      ON CONFLICT (sandbox, name) DO UPDATE SET private_pem = excluded.private_pem,
        public_pem = excluded.public_pem
      """, sandbox.id, purpose.rawValue, key.privatePEM, key.publicPEM)
  }
}
