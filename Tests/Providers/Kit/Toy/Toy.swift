import Catalog
import Crypto
import Domain
import HTTP
import JSON
import ProviderKit

/// An invented provider. Adding a provider takes this folder, and its name in the catalogue's list.
///
/// `PUT /knock/{number}?tell=URL` starts a verification and sends a webhook to the URL.
/// `POST /knock/{number}` with `{"word":"…"}` checks its code.
enum Toy: Provider {
  static let name = "toy"
  static let prefixes: [String] = []
  static let hosts = ["toy.test"]
  static let variables = [Variable("TOY_URL", .baseURL)]
  static let sdks: [SDK] = []

  static var routes: [Route<Sandbox>] {
    [
      .put("/knock/{number}", as: "knock", knock),
      .post("/knock/{number}", as: "answer", answer),
      .notEmulated(.delete, "/knock/{number}", as: "leave"),
    ] + ToyURL.routes + StrictToyURL.routes
  }

  static var errorCodes: [String] { [] }

  static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    switch failure {
    case .unknownPath: APIError.nobody.response
    case .wrongMethod: APIError.wrongDoor.response
    case .notEmulated: APIError.notYet.response
    case .malformed, .fault, .rejected, .internalError, .overload: APIError.nonsense.response
    }
  }

  static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) { headers.add("X-Toy", "yes") }

  static func credential(in request: Request) -> String? { nil }

  static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    switch webhook.draft.kind {
    case "knocked":
      let body = Array("\(webhook.id) \(webhook.draft.detail) \(webhook.createdAt.iso8601Milliseconds)".utf8)
      let signature = try sandbox.keys[.webhooks]?.pssSignature(of: body)
      return WebhookRequest(
        fields: signature.map { [.init("X-Toy-Signature", Base64.encodeForURL($0, isPadded: true))] } ?? [],
        body: body)
    case "secret": return nil
    default: throw APIError.nonsense
    }
  }

  /// Answers every reply to its sender.
  static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {
    guard case .reply(let text, _) = event, text.destination == sender,
      let number = PhoneNumber(text.sender)
    else { return }
    _ = try sandbox.messages.submit(
      message("You said: \(text.text)", to: number.description), to: sandbox.subscribers[number])
  }

  static func ownsPushPayload(_ data: Texts) -> Bool { false }

  static var retries: RetrySchedule {
    RetrySchedule(pauses: [.seconds(60), .seconds(120)], span: .seconds(3600))
  }

  static let defaultSeed = Array("{}".utf8)

  static let seedSchema = ObjectSchema("ToySeed", "Toy's part of a seed.", [])

  static func loadSeed(_ seed: Fields, into sandbox: Sandbox, _ steps: inout Steps) {}

  static func exportSeed(from sandbox: Sandbox) throws -> JSON { .object([]) }

  static func createCredentials(in sandbox: Sandbox) throws {}

  static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] { [] }
}

/// Operations.
extension Toy {
  static func knock(_ request: Request, in sandbox: Sandbox) throws -> Response {
    let claim = try claim(of: request)
    let query = try request.query
    if let url = query["tell"] {
      try sandbox.webhooks.enqueue(
        WebhookDraft(
          provider: name, url: url, kind: query["kind"] ?? "knocked", subject: 0, detail: claim.destination))
    }
    let outcome = try sandbox.verifications.start(
      .init(claim, over: .sms, rules: VerificationRules()) { verification in
        message("The word is \(verification.code).", to: claim.destination, code: verification.code)
      })
    switch outcome {
    case .created, .resent: return .text(202, "Who is there?")
    case .sendsExhausted, .checksExhausted: throw APIError.tired
    }
  }

  static func answer(_ request: Request, in sandbox: Sandbox) throws -> Response {
    let verification = try sandbox.verifications.latest(try claim(of: request))
    switch try sandbox.verifications.check(try request.json.string("word"), of: verification, limit: 2) {
    case .approved: return .text(200, "Come in.")
    case .wrongCode: throw APIError.stranger
    case .checksExhausted: throw APIError.tired
    case .nothingPending: throw APIError.nobody
    }
  }

  private static let sender = "TOY"

  private static func message(_ text: String, to destination: String, code: String? = nil) -> MessageDraft {
    MessageDraft(
      provider: name, reference: "knock", channel: .sms, destination: destination, sender: sender, text: text,
      code: code)
  }

  private static func claim(of request: Request) throws -> Claim {
    guard let number = PhoneNumber(request[parameter: "number"]) else { throw APIError.nonsense }
    return Claim(provider: name, owner: "door", destination: number.description)
  }

  enum APIError: String, ResponseError {
    case nobody = "Nobody knocked."
    case stranger = "I do not know you."
    case tired = "I have heard enough."
    case nonsense = "I do not understand."
    case wrongDoor = "Not at this door."
    case notYet = "One day."

    var response: Response {
      let status: Status =
        switch self {
        case .nobody, .notYet: 404
        case .stranger: 403
        case .tired: 429
        case .nonsense: 400
        case .wrongDoor: 405
        }
      return .text(status, rawValue)
    }

    var why: String? { nil }
  }
}
