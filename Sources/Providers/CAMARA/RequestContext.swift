import ProviderKit

/// A request to an API that is signed in and permitted.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let token: AccessToken
  let client: Client
  let version: APIVersion
  /// Those that permit the operation, as far as the token has them.
  let scopes: [String]

  var now: Timestamp { sandbox.clock.now }
  var today: Day { Day(now) }

  /// The members of the body, which every POST must have. Source: contract 2.1.
  var body: Fields {
    get throws {
      guard !request.body.isEmpty else { throw APIError.invalid("body", expected: "a JSON object") }
      let fields = try request.json
      // One aggregator's client sends the number as its caller has written it.
      guard token.isLenient, let text = try? fields.optionalString("phoneNumber"),
        text.utf8.first?.isDigit ?? false,
        case .object(var members) = try JSON(parsing: request.body),
        let place = members.firstIndex(where: { $0.name == "phoneNumber" })
      else { return fields }
      members[place] = .init(name: "phoneNumber", value: .string("+" + text))
      return try Fields(.object(members))
    }
  }

  /// A success with an object that `write` fills. Answers about people are never cached. Source: contract
  /// 2.2.
  func response(_ status: Status = 200, _ write: (inout JSONWriter) -> Void) -> Response {
    Response.json(status, write).uncached
  }

  /// The same with any JSON.
  func response(_ json: [UInt8], _ status: Status = 200) -> Response {
    Response.json(status, json).uncached
  }

  /// With Commonalities 0.8, a member that no operation has read is an error. Source: contract 1.
  fileprivate func requireKnownMembers() throws {
    guard settings.unknownMembers == .refuse, let unknown = request.inputs.unread.first else { return }
    throw APIError.invalid(unknown, expected: "no such member")
  }
}

/// The handler of an operation that needs a scope.
func operation<Answer: Correlated>(
  _ scope: String, _ handler: @escaping (RequestContext) throws -> Answer
) -> (Request, Sandbox) throws -> Answer {
  operation(anyOf: [scope], handler)
}

/// The handler of an operation that needs one of some scopes. It checks a request in the order of contract
/// 2.4.
func operation<Answer: Correlated>(
  anyOf scopes: [String], _ operation: @escaping (RequestContext) throws -> Answer
) -> (Request, Sandbox) throws -> Answer {
  { request, sandbox in
    let (correlator, isMalformed) = Correlator.read(request, in: sandbox)
    let version = APIVersion(of: request.target.path)
    do {
      try requireJSON(request)
      guard !isMalformed else {
        throw APIError.invalid("x-correlator", expected: version.release.correlatorFormat)
      }
      let token = try AccessToken.authenticate(request, in: sandbox)
      guard scopes.contains(where: token.scope.covers) else {
        throw APIError(lacking: scopes)
      }
      let context = RequestContext(
        request: request, sandbox: sandbox, settings: try Settings.current(in: sandbox), token: token,
        client: try Client.find(token.clientID, in: sandbox) ?? Client(), version: version,
        scopes: scopes.filter(token.scope.covers))
      if token.isSingleUse { try token.revoke(in: sandbox) }
      let answer = try operation(context)
      try context.requireKnownMembers()
      return answer.with(correlator)
    } catch let error as APIError {
      throw version.error(insteadOf: error).answering(correlator)
    }
  }
}

/// A body must be JSON, and the client must take JSON. Source: contract 2.1.
private func requireJSON(_ request: Request) throws(APIError) {
  if !request.body.isEmpty, let type = request.headers["Content-Type"], !isJSON(type) {
    throw APIError(.unsupportedMediaType).because("Content-Type: expected application/json; found \(type)")
  }
  if let types = request.headers["Accept"], !types.split(separator: ",").contains(where: isAcceptedJSON) {
    throw APIError(.notAcceptable).because("Accept: expected application/json; found \(types)")
  }
}

private func isJSON(_ type: String) -> Bool { mediaType(type[...]) == "application/json" }

private func isAcceptedJSON(_ range: Substring) -> Bool {
  ["application/json", "application/*", "*/*", ""].contains(mediaType(range))
}

/// Without parameters, in lower case.
private func mediaType(_ text: Substring) -> String {
  let bytes = text.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != UInt8(ascii: " ") }
  return String(decoding: bytes, as: UTF8.self).lowercased()
}
