import ProviderKit

/// The owner of factors: a user, by the id that the app's server gives. Source: contract 9.1.
struct Entity: Equatable, Sendable {
  var sid = ""
  /// The account that created it.
  var account = ""
  /// SID of its Service.
  var service = ""
  /// As it was given. Lookups ignore the letter case, because links of lists have it in lower case.
  /// Source: contract 2.3.
  var identity = ""
  var createdAt = Timestamp.earliest
  var updatedAt = Timestamp.earliest
  /// When factors were created, oldest first: as many as a day allows.
  var factorCreations: [Timestamp] = []

  private static let schema = Schema<Entity>([
    .required("sid", \.sid, .string),
    .required("account", \.account, .string),
    .required("service", \.service, .string),
    .required("identity", \.identity, .string),
    .required("createdAt", \.createdAt, .timestamp),
    .required("updatedAt", \.updatedAt, .timestamp),
    .field("factorCreations", \.factorCreations, .array(of: .timestamp), default: []),
  ])

  private static let table = RecordTable("entity", of: TwilioProvider.name, schema) { Entity() }

  static let identityFormat = "8 to 64 letters, digits and dashes"

  static func isIdentity(_ text: String) -> Bool {
    (8...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
  }

  static func find(_ identity: String, ofService service: String, in sandbox: Sandbox) throws -> Entity? {
    try table.find(key(identity, service), in: sandbox)
  }

  /// The entity of the path.
  static func named(by context: RequestContext) throws -> Entity {
    let identity = context.request[parameter: "identity"]
    guard let entity = try find(identity, ofService: context.service.sid, in: context.sandbox) else {
      throw context.notFound("no entity \(identity) of Service \(context.service.sid)")
    }
    return entity
  }

  /// The URL of an entity, which those of its factors and challenges start with.
  static func url(of identity: String, in context: RequestContext) -> String {
    "\(context.baseURL)/v2/Services/\(context.service.sid)/Entities/\(identity)"
  }

  /// The path of a list in the links of its pages. Source: contract 2.3.
  func path(ofList name: String) -> String {
    "/v2/Services/\(service)/Entities/\(identity.lowercased())/\(name)"
  }

  /// Creates an entity with a valid identity that is not taken.
  static func create(_ identity: String, in context: RequestContext) throws -> Entity {
    let sandbox = context.sandbox
    try table.requireRoom(in: sandbox)
    let ordinal = sandbox.nextOrdinal()
    var entity = Entity()
    entity.sid = sandbox.entropy.labelledIdentifier("YE", ordinal)
    entity.account = context.caller.account
    entity.service = context.service.sid
    entity.identity = identity
    entity.createdAt = sandbox.clock.now
    entity.updatedAt = sandbox.clock.now
    try entity.save(ordinal: ordinal, in: sandbox)
    return entity
  }

  func save(ordinal: Int? = nil, in sandbox: Sandbox) throws {
    try Self.table.save(
      self, as: Self.key(identity, service), group: service, ordinal: ordinal, in: sandbox)
  }

  static func page(of context: RequestContext) throws -> Page<Entity> {
    try Page(of: context, table, group: context.service.sid, errors: .ofEntities)
  }

  func delete(in sandbox: Sandbox) throws {
    for factor in try Factor.all(of: self, in: sandbox) {
      try factor.delete(in: sandbox)
      try FactorEvent.announce(.factorDeleted, factor: factor, in: sandbox)
    }
    try FactorChallenge.deleteAll(of: sid, in: sandbox)
    try Self.table.delete(Self.key(identity, service), in: sandbox)
  }

  /// Deletes the entities and access tokens of a Service.
  static func deleteAll(of service: String, in sandbox: Sandbox) throws {
    for (_, entity) in try table.list(group: service, in: sandbox) { try entity.delete(in: sandbox) }
    try FactorChallenge.deleteAll(of: service, in: sandbox)
    try AccessToken.deleteAll(of: service, in: sandbox)
  }

  private static func key(_ identity: String, _ service: String) -> String {
    "\(service)/\(identity.lowercased())"
  }
}

func createEntity(_ context: RequestContext) throws -> Response {
  let form = try context.request.form
  form.declare(["Identity"])
  guard let identity = form.text("Identity"), Entity.isIdentity(identity) else {
    throw APIError.invalidFactorParameter("Identity", expected: Entity.identityFormat)
  }
  guard try Entity.find(identity, ofService: context.service.sid, in: context.sandbox) == nil else {
    throw APIError(code: 60301).because("Identity: the Service has an entity \(identity)")
  }
  return .json(201, JSONWriter.object(try Entity.create(identity, in: context).writer(for: context)))
}

func fetchEntity(_ context: RequestContext) throws -> Response {
  .json(200, JSONWriter.object(try Entity.named(by: context).writer(for: context)))
}

func listEntities(_ context: RequestContext) throws -> Response {
  try Entity.page(of: context).response(key: "entities", baseURL: context.baseURL) {
    $0.writer(for: context)(&$1)
  }
}

/// The entity's factors and challenges go with it.
func deleteEntity(_ context: RequestContext) throws -> Response {
  try Entity.named(by: context).delete(in: context.sandbox)
  return Response(204)
}

extension APIError {
  /// 60300 for a parameter of entities, factors and challenges.
  static func invalidFactorParameter(_ name: String, expected: String) -> APIError {
    APIError(code: 60300, message: "Invalid parameter: \(name)").because("\(name): expected \(expected)")
  }
}

extension Entity {
  fileprivate func writer(for context: RequestContext) -> (inout JSONWriter) -> Void {
    { json in
      let url = Self.url(of: identity, in: context)
      json.member("sid", sid)
      json.member("identity", identity)
      json.member("account_sid", context.shownAccount)
      json.member("service_sid", service)
      createdAt.write(iso8601: "date_created", to: &json)
      updatedAt.write(iso8601: "date_updated", to: &json)
      json.member("url", url)
      json.object("links") {
        $0.member("factors", joining: url, "/Factors")
        $0.member("new_factors", joining: url, "/Factors")
        $0.member("challenges", joining: url, "/Challenges")
      }
    }
  }
}
