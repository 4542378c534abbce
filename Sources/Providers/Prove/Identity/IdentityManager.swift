import ProviderKit

// The resource `/v3/identity`. Source: contract 7.4.

func fetchIdentity(_ context: RequestContext) throws -> Response {
  let identity = try Identity.named(by: context)
  let line = try Line(of: identity, in: context.sandbox)
  return .json(200) { identity.write(to: &$0, line) }
}

/// The identities with a number: one, since a client has one per number, or none.
func lookUpIdentities(_ context: RequestContext) throws -> Response {
  try Body.declareRequestID(of: context)
  let number = try MobileNumber(
    context.request[parameter: "mobileNumber"], named: "mobileNumber", in: context)
  let found = try Identity.find(number.number, clientID: context.client.id, in: context.sandbox)
  guard let identity = found, identity.isEnrolled else { return .json(200) { _ in } }
  let line = try Line(of: identity, in: context.sandbox)
  return .json(200) { json in
    json.array("items", [identity]) { json, identity in json.value { identity.write(to: &$0, line) } }
  }
}

func listIdentities(_ context: RequestContext) throws -> Response {
  try Body.declareRequestID(of: context)
  let query = try IdentityQuery(context.request.query, in: context.sandbox)
  let page = try IdentityPage(query, context)
  return .json(200) { json in
    json.array("results", page.identities) { json, identity in json.value { identity.writeID(to: &$0) } }
    if let lastKey = page.lastKey { json.member("lastKey", lastKey) }
  }
}

func disenrollIdentity(_ context: RequestContext) throws -> Response {
  try changeIdentity(of: context) { $0.isEnrolled = false }
}

func activateIdentity(_ context: RequestContext) throws -> Response {
  try changeIdentity(of: context) { $0.isActive = true }
}

func deactivateIdentity(_ context: RequestContext) throws -> Response {
  try changeIdentity(of: context) { $0.isActive = false }
}

/// The identities with the same number in linked domains.
func listCrossDomainIdentities(_ context: RequestContext) throws -> Response {
  let identity = try Identity.named(by: context)
  let linked = try LinkedDomains(of: context.client, in: context.sandbox).identities(like: identity)
  return .json(200) { json in
    json.member("count", linked.count)
    json.array("identities", linked) { json, found in
      json.value {
        $0.member("clientName", found.domain.name)
        $0.member("identityId", found.identity.proveID)
        $0.member("pcid", found.domain.pcid)
      }
    }
  }
}

private func changeIdentity(
  of context: RequestContext, _ change: (inout Identity) -> Void
) throws -> Response {
  var identity = try Identity.named(by: context)
  change(&identity)
  try identity.save(in: context.sandbox)
  return .json(200) { $0.member("success", true) }
}

/// What the carrier knows about a number.
private struct Line {
  let carrier: String
  let type: String
  let country: String?

  init(of identity: Identity, in sandbox: Sandbox) throws {
    let number = PhoneNumber(identity.number)
    let subscriber = try number.map { try sandbox.subscribers[$0] }
    carrier = subscriber?.operatorName ?? ""
    type = (subscriber?.lineType ?? .unknown).rawValue
    country = subscriber?.country
  }
}

extension Identity {
  fileprivate func write(to json: inout JSONWriter, _ line: Line) {
    json.member("phoneNumber", phoneNumber)
    json.member("active", isActive)
    writeID(to: &json)
    if let clientCustomerID { json.member("clientCustomerId", clientCustomerID) }
    if let deviceID { json.member("deviceId", deviceID) }
    if !line.carrier.isEmpty { json.member("carrier", line.carrier) }
    json.member("lineType", line.type)
    if let country = line.country { json.member("countryCode", country) }
    json.member("createdAt", createdAt.unixSeconds)
    json.member("creationString", createdAt.iso8601)
  }
}

/// The page of the list that a request asks for.
private struct IdentityQuery {
  let limit: Int
  let showsInactive: Bool
  /// The page begins after this position.
  let position: Int

  init(_ query: Form, in sandbox: Sandbox) throws {
    limit = try query.number("limit", 1...1000) ?? 100
    let flag = query.text("showInactive") ?? "false"
    guard let showsInactive = Bool(flag) else {
      throw APIError.malformed("showInactive", expected: "true or false")
    }
    self.showsInactive = showsInactive
    guard let key = query.text("startKey") else {
      position = 0
      return
    }
    guard let (position, filter) = sandbox.entropy.ordinals(of: key, under: "prove page"),
      filter == (showsInactive ? 1 : 0), position > 0
    else {
      throw APIError.malformed("startKey", expected: "the lastKey of a page with the same showInactive")
    }
    self.position = position
  }

  func key(after position: Int, in sandbox: Sandbox) -> String {
    sandbox.entropy.identifier("prove page", position, showsInactive ? 1 : 0)
  }
}

private struct IdentityPage {
  let identities: [Identity]
  /// Nil on the last page.
  let lastKey: String?

  init(_ query: IdentityQuery, _ context: RequestContext) throws {
    let found = try Identity.enrolled(of: context.client, after: query.position, in: context.sandbox)
      .filter { query.showsInactive || $0.record.isActive }
    let page = found.prefix(query.limit)
    identities = page.map(\.record)
    lastKey =
      found.count > page.count
      ? page.last.map { query.key(after: $0.position, in: context.sandbox) } : nil
  }
}
