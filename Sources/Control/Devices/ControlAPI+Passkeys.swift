import Crypto
import WebAuthn

/// Passkeys on virtual handsets: what `navigator.credentials` answers in a browser there.
///
/// Nothing is stored. The id of a passkey says on which handset it is, and its key follows from the id.
extension ControlAPI {
  func createPasskey(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let ceremony = try PasskeyCeremony(request)
    let fields = try request.json
    if ceremony.body.credential != nil {
      throw fields.mismatch("credential", expected: "nothing, because a new passkey gets an id")
    }
    if let fault = ceremony.body.fault, !PasskeyFault.ofRegistrations.contains(fault) {
      let known = PasskeyFault.ofRegistrations.map(\.rawValue).joined(separator: ", ")
      throw fields.mismatch("fault", expected: "one of \(known), because the passkey is new")
    }
    let ordinal = sandbox.nextOrdinal()
    let id = sandbox.passkeyID(ordinal, on: ceremony.handset)
    let answer = try ceremony.authenticator(with: id, signCount: ordinal, in: sandbox)
      .register(answering: ceremony.challenge)
    return PasskeyView.schema.response(
      PasskeyView(
        id: id,
        response: [
          ("clientDataJSON", answer.clientData), ("attestationObject", answer.attestationObject),
        ]))
  }

  func usePasskey(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let ceremony = try PasskeyCeremony(request)
    let ordinal = sandbox.nextOrdinal()
    let id =
      ceremony.body.fault == .unknownCredential
      ? sandbox.passkeyID(ordinal, on: ceremony.handset) : try ceremony.chosenPasskey(in: sandbox)
    let answer = try ceremony.authenticator(with: id, signCount: ordinal, in: sandbox)
      .signIn(answering: ceremony.challenge)
    return PasskeyView.schema.response(
      PasskeyView(
        id: id,
        response: [
          ("clientDataJSON", answer.clientData), ("authenticatorData", answer.authenticatorData),
          ("signature", answer.signature),
        ]))
  }
}

/// A defect of a browser's answer.
enum PasskeyFault: String, CaseIterable, Sendable {
  /// The person cancels, or does nothing until the browser's timeout.
  case cancelled
  case noUserVerification
  case wrongOrigin
  case wrongRpId
  case wrongChallenge
  /// The signature is by another key than the passkey's.
  case wrongKey
  /// A passkey that was never registered.
  case unknownCredential
  /// The authenticator's counter does not grow, as that of a copied passkey.
  case staleCounter

  static let ofRegistrations: [PasskeyFault] = [
    .cancelled, .noUserVerification, .wrongOrigin, .wrongRpId, .wrongChallenge,
  ]
}

struct PasskeyBody: RequestBody {
  var options = JSON.null
  var origin: String?
  var credential: String?
  var fault: PasskeyFault?

  static let schema = Schema<PasskeyBody>(
    "PasskeyCall", "A call of navigator.credentials.",
    [
      .required("options", \.options, .json(.map(.any)), "The call's options, with or without publicKey."),
      .optional(
        "origin", \.origin, .string(1...255),
        "The page's origin; by default https and the relying party's id."),
      .optional(
        "credential", \.credential, .string(1...255),
        "The id of the passkey to sign in with; by default the first allowed one of the handset."),
      .optional("fault", \.fault, .word, "A defect of the answer."),
    ])
}

/// A call of a browser on a handset.
private struct PasskeyCeremony {
  let handset: PhoneNumber
  let body: PasskeyBody
  let challenge: [UInt8]
  private let relyingParty: String
  /// The ids that the options allow. Empty: any.
  private let allowed: [String]

  /// Fails like a browser if the person cancels.
  init(_ request: Request) throws {
    let id = request[parameter: "id"]
    guard let handset = PhoneNumber(id) else {
      throw FieldError(path: "id", expected: PhoneNumber.expected, found: "\"\(id)\"")
    }
    self.handset = handset
    body = try request.decodeBody(PasskeyBody.self)
    let outer = try Fields(body.options, path: "$.options")
    let options = try outer.optionalObject("publicKey") ?? outer
    guard let challenge = Base64.decodeFromURL(try options.string("challenge")), !challenge.isEmpty else {
      throw options.mismatch("challenge", expected: "base64url")
    }
    self.challenge = body.fault == .wrongChallenge ? SHA256.hash(challenge) : challenge
    guard
      let relyingParty = try options.optionalString("rpId")
        ?? options.optionalObject("rp")?.optionalString("id")
    else { throw options.mismatch("rpId", expected: "a domain, or rp with an id") }
    self.relyingParty = relyingParty
    allowed = try (options.optionalObjects("allowCredentials") ?? []).map { try $0.string("id") }
    if body.fault == .cancelled { throw ControlProblem.notAllowed }
  }

  /// The id of the passkey to sign in with. Fails like a browser if the handset has none of those allowed.
  func chosenPasskey(in sandbox: Sandbox) throws -> [UInt8] {
    guard body.credential != nil || !allowed.isEmpty else {
      throw ControlProblem(
        409, "the options allow any passkey; name one by its id in credential", field: "credential")
    }
    let candidates = body.credential.map { [$0] } ?? allowed
    let held = candidates.compactMap { Base64.decodeFromURL($0) }
      .first { sandbox.isPasskey($0, on: handset) }
    guard let held else { throw ControlProblem.notAllowed }
    return held
  }

  func authenticator(
    with id: [UInt8], signCount: Int, in sandbox: Sandbox
  ) throws -> VirtualAuthenticator {
    let label = body.fault == .wrongKey ? "wrong passkey" : "passkey"
    guard let key = P256PrivateKey(number: sandbox.keySecret("\(label) \(Hex.encode(id))")) else {
      preconditionFailure("a secret for keys is a key of P-256")
    }
    var authenticator = VirtualAuthenticator(
      credentialID: id, key: key,
      relyingParty: body.fault == .wrongRpId ? "wrong-rp.example" : relyingParty,
      origin: body.fault == .wrongOrigin
        ? "https://wrong-origin.example" : body.origin ?? "https://\(relyingParty)")
    authenticator.isUserVerified = body.fault != .noUserVerification
    authenticator.signCount = body.fault == .staleCounter ? 1 : signCount
    return authenticator
  }
}

extension ControlProblem {
  /// The text is that of browsers.
  fileprivate static let notAllowed = ControlProblem(
    409, "NotAllowedError: The operation either timed out or was not allowed.")
}

extension Sandbox {
  fileprivate func passkeyID(_ ordinal: Int, on handset: PhoneNumber) -> [UInt8] {
    Hex.decode(Array(tokenEntropy.identifier("passkey", ordinal, handset.digits).utf8)) ?? []
  }

  /// True for the id of a passkey that was created on the handset.
  fileprivate func isPasskey(_ id: [UInt8], on handset: PhoneNumber) -> Bool {
    guard let (ordinal, holder) = tokenEntropy.ordinals(of: Hex.encode(id), under: "passkey") else {
      return false
    }
    return holder == handset.digits && ordinal > 0
  }
}

/// `PublicKeyCredential` as JSON. Source: WebAuthn 3, 5.1
struct PasskeyView {
  let id: [UInt8]
  let response: [(name: String, bytes: [UInt8])]

  static let schema = Schema<PasskeyView>(
    "PasskeyCredential", "A credential, as navigator.credentials returns it.",
    [
      .readOnly("id", .string, "The id of the passkey, in base64url.") { Base64.encodeForURL($0.id) },
      .readOnly("rawId", .string, "The same.") { Base64.encodeForURL($0.id) },
      .readOnly("type", .string, "public-key") { _ in "public-key" },
      .readOnly("authenticatorAttachment", .string, "platform") { _ in "platform" },
      .readOnly("response", .json(.map(.string())), "The authenticator's answer, in base64url.") { view in
        JSON.object(
          view.response.map { .init(name: $0.name, value: .string(Base64.encodeForURL($0.bytes))) })
      },
    ])
}
