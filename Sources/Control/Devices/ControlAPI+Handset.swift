import Carrier

/// Actions of a person on a handset: answer a challenge, scan a QR code, open a silent URL.
extension ControlAPI {
  func approve(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try answer(.approve, request, sandbox)
  }

  func deny(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try answer(.deny, request, sandbox)
  }

  /// Scans a QR code, whose text contains the reference of a pending challenge.
  func scan(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let text = try request.decodeBody(Scan.self).text
    let now = sandbox.clock.now
    let pending = try sandbox.challenges.all(.init()).last {
      $0.push == nil && $0.state(at: now) == .pending && text.contains($0.reference)
    }
    guard let pending else {
      throw ControlProblem.notFound("pending challenge whose reference is in the text")
    }
    let device = try scanner(request[parameter: "id"], for: pending, in: sandbox)
    guard let scanned = try sandbox.challenges.scan(pending, with: device) else {
      throw ControlProblem(409, "the challenge is for \(pending.holder) and \(pending.provider)'s app there")
    }
    return ChallengeView.schema.response(ChallengeView(challenge: scanned, now: now))
  }

  private func answer(
    _ answer: Challenge.Answer, _ request: Request, _ sandbox: Sandbox
  ) throws -> Response {
    let fault = try request.decodeBody(AnswerOptions.self).fault
    let id = request[parameter: "id"]
    let now = sandbox.clock.now
    let challenge = try challenge(id, answeredWith: fault, in: sandbox)
    if fault == .wrongKey, sandbox.mobileSDK(of: challenge.provider) == nil {
      throw try request.json.mismatch(
        "fault", expected: "late, because apps of \(challenge.provider) have no key")
    }
    let outcome: Challenges.AnswerOutcome
    do {
      outcome = try sandbox.challenges.answerOnHandset(answer, to: challenge, fault: fault)
    } catch let refusal as AppRefusal {
      var problem = ControlProblem(409, "the app could not answer: \(refusal)")
      problem.isOnPurpose = fault != nil
      throw problem
    }
    switch outcome {
    case .accepted(let answered):
      return ChallengeView.schema.response(ChallengeView(challenge: answered, now: now))
    case .ended(let challenge):
      let end = challenge.answeredAt ?? challenge.expiresAt
      throw ControlProblem(
        409,
        "no pending challenge for \(id); the latest is "
          + "\(challenge.state(at: now).rawValue) since \(end.iso8601Milliseconds)")
    }
  }

  /// The newest pending challenge, else the newest one. A late answer is to the newest one that has ended.
  private func challenge(
    _ id: String, answeredWith fault: AnswerFault?, in sandbox: Sandbox
  ) throws -> Challenge {
    let now = sandbox.clock.now
    let candidates = try challenges(id, in: sandbox)
    guard fault == .late else {
      let pending = candidates.last { $0.state(at: now) == .pending }
      guard let found = pending ?? candidates.last else {
        throw ControlProblem.notFound("challenge for \(id)")
      }
      return found
    }
    guard let ended = candidates.last(where: { $0.state(at: now) != .pending }) else {
      throw ControlProblem.notFound("answered or expired challenge for \(id)")
    }
    return ended
  }

  /// The challenges of a number, of a device, of a reference, or (`latest`) all; oldest first.
  private func challenges(_ id: String, in sandbox: Sandbox) throws -> [Challenge] {
    var filter = Challenges.Filter()
    if id == "latest" { return try sandbox.challenges.all(filter) }
    if let number = PhoneNumber(id) {
      filter.holder = number.description
      return try sandbox.challenges.all(filter)
    }
    if let device = try knownDevice(id, in: sandbox) {
      filter.holder = device.draft.holder
      return try sandbox.challenges.all(filter).filter { $0.device == device.ordinal }
    }
    filter.reference = id
    return try sandbox.challenges.all(filter)
  }

  /// The device of an id, or the newest one on a number's handset with the challenge's provider.
  private func scanner(_ id: String, for challenge: Challenge, in sandbox: Sandbox) throws -> Device {
    guard let number = PhoneNumber(id) else { return try device(id, in: sandbox) }
    let devices = try sandbox.devices.all(of: number.description, provider: challenge.provider)
    guard let newest = devices.last else { throw ControlProblem.notFound("device on \(number)") }
    return newest
  }

  /// Walks a silent chain within the process, as the handset's app would.
  func openOnDevice(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let handset = try handset(request, in: sandbox)
    let opening = try request.decodeBody(Opening.self)
    let origins = try [
      request.origin, sandbox.gateway.baseURL(requestOrigin: request.origin), sandboxes.addresses.publicURL,
    ].compactMap { $0.flatMap { AbsoluteURL($0)?.origin } }
    let walk = Walk(as: opening.client(on: handset), at: sandbox.clock.now)
    return WalkResult.schema.response(transport.walk(walk, from: opening.url, within: origins))
  }

  /// The handset of the path; `latest` is the one of the newest silent session.
  private func handset(_ request: Request, in sandbox: Sandbox) throws -> PhoneNumber {
    let id = request[parameter: "id"]
    if id == "latest" {
      guard let newest = try sandbox.silentSessions.latest else {
        throw ControlProblem.notFound("silent session yet, so there is no latest handset")
      }
      guard let number = newest.number else {
        throw ControlProblem.notFound(
          "number claimed in the latest silent session, so there is no latest handset")
      }
      return number
    }
    guard let number = PhoneNumber(id) else {
      throw FieldError(path: "id", expected: PhoneNumber.expected + ", or latest", found: "\"\(id)\"")
    }
    return number
  }
}

struct AnswerOptions: RequestBody {
  var fault: AnswerFault?

  static let schema = Schema<AnswerOptions>(
    "AnswerOptions", "A defect of the app's answer.",
    [
      .optional(
        "fault", \.fault, .word,
        "wrongKey: signed with another key than the registered one; late: sent although the challenge was answered or has expired."
      )
    ])
}

struct Scan: RequestBody {
  var text = ""

  static let schema = Schema<Scan>(
    "Scan", "A QR code.",
    [.required("text", \.text, .string, "The text of the QR code; it contains a challenge's reference.")])
}

struct Opening: RequestBody {
  var url = ""
  var platform = Walk.Client.Platform.ios
  var bearer: Bearer?
  var isOwnHost = false

  static let schema = Schema<Opening>(
    "Opening", "A silent URL to open.",
    [
      .required("url", \.url, .string, "The silent URL that the app was given."),
      .field("as", \.platform, .word, default: .ios, "The kind of client."),
      .optional("bearer", \.bearer, .word, "The connection that the handset claims to use."),
      .field(
        "own", \.isOwnHost, .boolean, default: false,
        "True if the first answer must be a redirect, as on an endpoint of the app itself."),
    ])

  func client(on handset: PhoneNumber) -> Walk.Client {
    var client = Walk.Client()
    client.handset = handset
    client.platform = platform
    client.bearer = bearer
    client.isOwnHost = isOwnHost
    return client
  }
}

struct ChallengeView: Sendable {
  let challenge: Challenge
  let now: Timestamp

  static let schema = Schema<ChallengeView>(
    "Challenge", "A request for a person's approval on a device.",
    [
      .readOnly("provider", .string, "The provider.") { $0.challenge.provider },
      .readOnly("reference", .string, "The provider's id of the request that needs approval.") {
        $0.challenge.reference
      },
      .readOnly("number", .string, "The phone number, or another id of the person at the provider.") {
        $0.challenge.holder
      },
      .readOnly("state", .word, "The state.") { $0.challenge.state(at: $0.now) },
      .readOnly("askedAt", .preciseTimestamp, "When the challenge was created.") { $0.challenge.createdAt },
      .readOnly("expiresAt", .preciseTimestamp, "When it expires.") { $0.challenge.expiresAt },
      .readOnly("answeredAt", .preciseTimestamp, "When the person answered.") { $0.challenge.answeredAt },
    ])
}
