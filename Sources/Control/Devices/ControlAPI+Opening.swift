import Carrier
import Domain
import HTTP
import JSON

/// Virtual handsets open what an app would open: silent URLs.
extension ControlAPI {
  /// Walks a silent chain as the handset's app would, within the process.
  func openOnDevice(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let handset = try handset(request, in: sandbox)
    let fields = try request.json
    let url = try fields.string("url")
    let client = try client(fields, on: handset)
    try fields.requireAllRead()
    let origins = try [
      request.origin, sandbox.gateway.baseURL(requestOrigin: request.origin), sandboxes.addresses.publicURL,
    ].compactMap { $0.flatMap { AbsoluteURL($0)?.origin } }
    let trip = line.walk(Walk(as: client, at: sandbox.clock.now), from: url, within: origins)
    return .json(
      200,
      JSONWriter.object { json in
        switch trip.ending {
        case .code(let code):
          json.member("ending", "code")
          json.member("code", code)
        case .text(let text):
          json.member("ending", "text")
          json.member("text", text)
        case .failure(let reason):
          json.member("ending", "failure")
          json.member("reason", reason)
        }
        json.array("hops", trip.hops) { json, hop in
          json.value {
            $0.member("url", hop.url)
            $0.member("status", hop.status)
          }
        }
      })
  }

  /// The handset of the path; `latest` is the one that the newest silent session is about.
  private func handset(_ request: Request, in sandbox: Sandbox) throws -> PhoneNumber {
    let id = request[parameter: "id"]
    if id == "latest" {
      guard let newest = try sandbox.silentSessions.latest else {
        throw ControlProblem.notFound("silent session yet, so no device is the latest")
      }
      return newest.draft.number
    }
    guard let number = PhoneNumber(id) else {
      throw FieldError(path: "id", expected: Self.numberForm + ", or latest", found: "\"\(id)\"")
    }
    return number
  }

  private func client(_ fields: Fields, on handset: PhoneNumber) throws(FieldError) -> Walk.Client {
    var client = Walk.Client()
    client.handset = handset
    if let word = try fields.optionalString("as") {
      guard let platform = Walk.Client.Platform(rawValue: word) else {
        throw fields.mismatch("as", expected: "one of ios, android")
      }
      client.platform = platform
    }
    if let word = try fields.optionalString("bearer") {
      guard let bearer = Bearer(rawValue: word) else {
        let words = Bearer.allCases.map(\.rawValue).joined(separator: ", ")
        throw fields.mismatch("bearer", expected: "one of \(words)")
      }
      client.bearer = bearer
    }
    client.isOwnHost = try fields.optionalBool("own") ?? false
    return client
  }

  static let numberForm = "a phone number such as +12025550100"
}
