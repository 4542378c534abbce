import Crypto

/// A JSON Web Token in its compact form (RFC 7519): header, claims and signature in base64url, with dots
/// between them (RFC 7515, 7.1). Nothing in it is verified: see `isSigned`.
package struct JSONWebToken {
  /// Source: RFC 7518, 3.1.
  package enum Algorithm: String, CaseIterable, Sendable {
    case hs256 = "HS256"
    case rs256 = "RS256"
    case es256 = "ES256"
    case ps256 = "PS256"
    /// Without a signature, as the tokens of emulators.
    case unsigned = "none"
  }

  package let algorithm: Algorithm
  package let header: Fields
  /// A JSON object, unless the sender made a mistake: see `claims`.
  package let payload: [UInt8]
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Longer texts are no tokens.
  package static let maxSize = 16 << 10

  /// Nil for other texts, and for tokens of other algorithms.
  package init?(_ text: String, by algorithms: [Algorithm]) {
    guard text.utf8.count <= Self.maxSize else { return nil }
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64.decodeFromURL(parts[0]).flatMap({ try? Fields($0) }),
      let algorithm = (try? header.optionalString("alg")).flatMap(Algorithm.init),
      algorithms.contains(algorithm), let payload = Base64.decodeFromURL(parts[1]),
      let signature = Base64.decodeFromURL(parts[2]), signature.isEmpty == (algorithm == .unsigned)
    else { return nil }
    (self.algorithm, self.header, self.payload, self.signature) = (algorithm, header, payload, signature)
    signed = Array(bytes[..<parts[1].endIndex])
  }

  /// Parses the payload. Fails if it is not a JSON object.
  package var claims: Fields {
    get throws(FieldError) { try Fields(payload) }
  }

  /// False also for a key of another kind than the algorithm's, and for none.
  package func isSigned(by key: PublicKey?) -> Bool {
    key?.accepts(signature, by: algorithm, of: signed) ?? false
  }

  /// False also for an algorithm other than HS256.
  package func isSigned(withSecret secret: String) -> Bool {
    algorithm == .hs256 && constantTimeEqual(HMAC.authenticate(signed, key: Array(secret.utf8)), signature)
  }
}

/// Signing. `claims` and `header` are JSON objects.
extension JSONWebToken {
  /// With HS256.
  package static func sign(_ claims: [UInt8], key: String) -> String {
    text(symmetricHeader, claims) { HMAC.authenticate($0, key: Array(key.utf8)) }
  }

  /// With ES256 and a private key in PEM; nil for a text that is not such a key.
  package static func sign(_ claims: [UInt8], header: [UInt8], es256Key privateKey: String) -> String? {
    P256PrivateKey(pem: privateKey).map { key in text(header, claims) { key.rawSignature(of: $0) } }
  }

  /// With RS256.
  package static func sign(
    _ claims: [UInt8], header: [UInt8], rs256Key key: SigningKey, in sandbox: Sandbox
  ) throws(DamagedState) -> String {
    try text(header, claims) { bytes throws(DamagedState) in try key.pkcs1Signature(of: bytes, in: sandbox) }
  }

  private static let symmetricHeader = Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8)

  private static func text<E: Error>(
    _ header: [UInt8], _ claims: [UInt8], _ sign: ([UInt8]) throws(E) -> [UInt8]
  ) throws(E) -> String {
    let signed = "\(Base64.encodeForURL(header)).\(Base64.encodeForURL(claims))"
    return "\(signed).\(Base64.encodeForURL(try sign(Array(signed.utf8))))"
  }
}

/// The sandbox's own tokens: HS256, with a key that only the sandbox has.
extension JSONWebToken {
  /// The claims of a token with a valid signature; nil for any other text. Its times are not checked.
  package static func claims(of text: String, key: String) -> Fields? {
    guard let token = JSONWebToken(text, by: [.hs256]), token.isSigned(withSecret: key) else { return nil }
    return try? token.claims
  }

  /// The claims of a token from any sandbox; nil for text of another form.
  package static func unverifiedClaims(of text: String) -> Fields? {
    try? JSONWebToken(text, by: [.hs256])?.claims
  }
}

/// Times in claims, such as `exp`: seconds since 1970, which may have a fraction (RFC 7519, 2).
extension Fields {
  /// `acceptsDigits`: true for a provider that reads digits in a string, too.
  package func unixTime(_ name: String, acceptsDigits: Bool = false) throws(FieldError) -> Timestamp {
    let time = try optionalUnixTime(name, acceptsDigits: acceptsDigits)
    guard let time else { throw Self.noTime(name, found: nil) }
    return time
  }

  /// Nil if the claim is missing, or `null`.
  package func optionalUnixTime(
    _ name: String, acceptsDigits: Bool = false
  ) throws(FieldError) -> Timestamp? {
    guard let value = try optionalJSON(name) else { return nil }
    let time: Timestamp? =
      switch value {
      case .integer(let seconds): Timestamp(unixSeconds: Double(seconds))
      case .double(let seconds): Timestamp(unixSeconds: seconds)
      case .string(let text) where acceptsDigits && text.utf8.allSatisfy(\.isDigit):
        Double(text).flatMap(Timestamp.init(unixSeconds:))
      default: nil
      }
    guard let time else { throw Self.noTime(name, found: value) }
    return time
  }

  /// Names the type that was found: tokens with strings for numbers are a common mistake.
  private static func noTime(_ name: String, found value: JSON?) -> FieldError {
    let expected = "seconds since 1970, as a number"
    guard let value else { return FieldError(path: name, expected: expected, found: nil) }
    let text = FieldError(path: name, expected: expected, found: value).found
    let type: String? =
      switch value {
      case .string: "string"
      case .bool: "boolean"
      case .integer, .double: "number"
      case .null, .array, .object: nil
      }
    return FieldError(path: name, expected: expected, found: type.map { "the \($0) \(text)" } ?? text)
  }
}

/// Times in claims: seconds since 1970.
extension Timestamp {
  /// Nil outside of 1970 to 9999. The fraction is read alone, so that times that are whole seconds apart stay
  /// so.
  fileprivate init?(unixSeconds seconds: Double) {
    guard (0..<Double(Self.latest.unixSeconds + 1)).contains(seconds) else { return nil }
    let whole = seconds.rounded(.down)
    self.init(milliseconds: Int64(whole) * 1000 + Int64((seconds - whole) * 1000))
  }

  package init(unixSeconds seconds: Int) { self = Timestamp(milliseconds: 0) + .seconds(seconds) }

  package var unixSeconds: Int { (self - Timestamp(milliseconds: 0)).wholeSeconds }
}

extension Fields {
  /// The claim `aud`, which is a text or a list of texts (RFC 7519, 4.1.3); nil if it is absent.
  package var audiences: [String]? {
    switch try? optionalJSON("aud") {
    case nil: nil
    case .string(let text): [text]
    case .array(let items): items.compactMap { if case .string(let text) = $0 { text } else { nil } }
    default: []
    }
  }
}
