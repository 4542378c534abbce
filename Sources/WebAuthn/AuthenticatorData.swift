/// What an authenticator signs (WebAuthn 6.1).
///
/// ```
/// 32 bytes  SHA-256 of the relying party's id
///  1        flags
///  4        signature counter
/// 16 + 2 + n + CBOR   model, length of the id, id and public key of the credential; with flag AT only
/// CBOR      extensions; with flag ED only
/// ```
struct AuthenticatorData {
  let relyingPartyHash: [UInt8]
  let signCount: Int
  /// Nil without the flag AT.
  let credential: (id: [UInt8], publicKey: CBOR)?
  private let flags: UInt8

  var isUserPresent: Bool { flags & 0x01 != 0 }
  var isUserVerified: Bool { flags & 0x04 != 0 }

  init(_ bytes: [UInt8]) throws(WebAuthnError) {
    guard bytes.count >= 37, bytes.count <= CBOR.sizeLimit else {
      throw .authenticatorData("at least 37 bytes")
    }
    relyingPartyHash = Array(bytes[..<32])
    flags = bytes[32]
    signCount = bytes[33..<37].reduce(0) { $0 << 8 | Int($1) }
    var rest = bytes[37...]
    credential = flags & 0x40 == 0 ? nil : try Self.credential(from: &rest)
    if flags & 0x80 != 0 {
      guard CBOR.take(from: &rest) != nil else { throw .authenticatorData("extensions in CBOR") }
    }
    guard rest.isEmpty else { throw .authenticatorData("nothing after its last member") }
  }

  private static func credential(
    from rest: inout ArraySlice<UInt8>
  ) throws(WebAuthnError) -> (id: [UInt8], publicKey: CBOR) {
    let head = rest.prefix(18)
    let length = head.suffix(2).reduce(0) { $0 << 8 | Int($1) }
    let id = rest.dropFirst(18).prefix(length)
    guard head.count == 18, 1...1023 ~= length, id.count == length else {
      throw .credentialData("the id of a credential, 1 to 1023 bytes")
    }
    rest = rest[id.endIndex...]
    guard let key = CBOR.take(from: &rest) else { throw .credentialData("a public key in CBOR") }
    return (Array(id), key)
  }
}
