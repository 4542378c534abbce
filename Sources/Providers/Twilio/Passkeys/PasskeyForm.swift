import Crypto
import ProviderKit
import WebAuthn

/// A body in JSON. Each of its members has an error code of its own. Source: contract 13.3.
struct PasskeyForm {
  private let fields: Fields?

  /// 60306 for a body that is not an object.
  init(_ request: Request) throws(APIError) {
    guard !request.body.isEmpty else {
      fields = nil
      return
    }
    do { fields = try request.json } catch { throw APIError(code: 60306).because(error.description) }
  }

  private init(_ fields: Fields?) { self.fields = fields }

  func text(_ name: String, error code: Int) throws(APIError) -> String? {
    guard let text = try read(code, { (fields) throws(FieldError) in try fields.optionalString(name) }),
      !text.isEmpty
    else { return nil }
    return text
  }

  func requiredText(_ name: String, error code: Int) throws(APIError) -> String {
    guard let text = try text(name, error: code) else {
      throw APIError(code: code).because("\(name): missing")
    }
    return text
  }

  func texts(_ name: String, error code: Int) throws(APIError) -> [String]? {
    try read(code) { (fields) throws(FieldError) in try fields.optionalStrings(name) }
  }

  func word<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of type: Word.Type, error code: Int
  ) throws(APIError) -> Word? {
    guard let text = try text(name, error: code) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw APIError(code: code).because("\(name): expected \(Word.words); found \(text)")
    }
    return word
  }

  /// Bytes in base64url, base64 or hex: the provider's own examples mix them. Source: contract 12.
  func bytes(_ name: String, error code: Int) throws(APIError) -> [UInt8] {
    let text = try requiredText(name, error: code)
    guard text.utf8.count <= Self.bytesLimit,
      let bytes = Hex.decode(Array(text.utf8)) ?? Base64.decodeFromURL(text) ?? Base64.decode(text)
    else { throw APIError(code: code).because("\(name): expected base64url") }
    return bytes
  }

  /// Real ones have a few hundred characters.
  private static let bytesLimit = 64 << 10

  /// An object; its members are absent if it is.
  func object(_ name: String, error code: Int) throws(APIError) -> PasskeyForm {
    PasskeyForm(try read(code) { (fields) throws(FieldError) in try fields.optionalObject(name) })
  }

  var isEmpty: Bool { fields == nil }

  private func read<Value>(
    _ code: Int, _ body: (Fields) throws(FieldError) -> Value?
  ) throws(APIError) -> Value? {
    guard let fields else { return nil }
    do { return try body(fields) } catch { throw APIError(code: code).because(error.description) }
  }
}

/// A browser's answer to a ceremony: the members that registrations and assertions share.
struct PasskeyAnswer {
  enum Kind: String, CaseIterable {
    case publicKey = "public-key"
  }

  let credential: [UInt8]
  let clientData: ClientData
  let response: PasskeyForm

  init(_ form: PasskeyForm, requiresID: Bool) throws(APIError) {
    _ = try form.word("type", of: Kind.self, error: 60375)
    let attachment = try form.word("authenticatorAttachment", of: PasskeyConfig.Attachment.self, error: 60377)
    guard attachment != .any else {
      throw APIError(code: 60377).because("authenticatorAttachment: expected platform or cross-platform")
    }
    credential = try form.bytes("rawId", error: 60376)
    let hasID = try form.text("id", error: 60375) != nil
    if requiresID || hasID {
      guard try form.bytes("id", error: 60375) == credential else {
        throw APIError(code: 60375).because("id: expected the same bytes as rawId")
      }
    }
    response = try form.object("response", error: 60378)
    guard !response.isEmpty else { throw APIError(code: 60378).because("response: missing") }
    let bytes = try response.bytes("clientDataJSON", error: 60380)
    do { clientData = try ClientData(bytes) } catch { throw APIError(error) }
  }

  /// The SID that the ceremony's challenge was made from.
  func sid(_ kind: SidKind, error code: Int) throws(APIError) -> String {
    guard let text = String(validating: clientData.challenge, as: UTF8.self), kind.matches(text) else {
      throw APIError(code: code).because("clientDataJSON: expected the challenge of the options")
    }
    return text
  }
}

extension APIError {
  /// Source: contract 13.3.
  init(_ error: WebAuthnError) {
    let (code, member, expected) =
      switch error {
      case .clientData(let expected): (60380, "clientDataJSON", expected)
      case .relyingParty(let expected): (60382, "relying party", expected)
      case .attestationObject(let expected): (60386, "attestationObject", expected)
      case .authenticatorData(let expected): (60379, "authenticatorData", expected)
      case .credentialData(let expected): (60387, "attested credential data", expected)
      case .publicKey(let expected): (60385, "public key", expected)
      case .signature(let expected): (60381, "signature", expected)
      }
    self = APIError(code: code).because("\(member): expected \(expected)")
  }
}
