import Domain
import HTTP
import JSON
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

  private static let schema = Schema<Entity>(
    nil, "An entity.",
    [
      .required("sid", \.sid, .string, "The SID."),
      .required("account", \.account, .string, "The account that created it."),
      .required("service", \.service, .string, "Its Service."),
      .required("identity", \.identity, .string, "The id of the app's server."),
      .required("createdAt", \.createdAt, .timestamp, "When it was created."),
      .required("updatedAt", \.updatedAt, .timestamp, "When it was changed."),
      .field(
        "factorCreations", \.factorCreations, .array(of: .timestamp), default: [], "Times of creations."),
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
    try context.entityPage { try Page(of: context, table, group: context.service.sid) }
  }

  func delete(in sandbox: Sandbox) throws {
    for factor in try Factor.all(of: self, in: sandbox) {
      try factor.delete(in: sandbox)
      try announce(.factorDeleted, factor: factor, in: sandbox)
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
  .json(200, JSONWriter.object(try context.entity().writer(for: context)))
}

func listEntities(_ context: RequestContext) throws -> Response {
  try Entity.page(of: context).response(key: "entities", baseURL: context.baseURL) {
    $0.writer(for: context)(&$1)
  }
}

/// The entity's factors and challenges go with it.
func deleteEntity(_ context: RequestContext) throws -> Response {
  try context.entity().delete(in: context.sandbox)
  return Response(204)
}

extension RequestContext {
  /// The identity of the path.
  var identity: String { request[parameter: "identity"] }

  /// The entity of the path.
  func entity() throws -> Entity {
    guard let entity = try Entity.find(identity, ofService: service.sid, in: sandbox) else {
      throw APIError.notFound(settings.notFoundPath(request.target.path))
        .because("no entity \(identity) of Service \(service.sid)")
    }
    return entity
  }

  /// The account in answers about entities. Source: contract 20.
  var shownAccount: String { caller.isUnknown ? caller.account : service.account }

  /// Lists of entities, factors and challenges have errors of their own. Source: contract 2.3.
  func entityPage<Record>(_ page: () throws -> Page<Record>) throws -> Page<Record> {
    do {
      return try page()
    } catch let error as APIError where error.code == 60200 {
      switch error.message.hasSuffix("PageSize") {
      case true: throw APIError(code: 60373).because(error.why ?? "")
      case false where error.message.hasSuffix("PageToken"):
        throw APIError(code: 60374).because(error.why ?? "")
      case false: throw error
      }
    }
  }

  /// URL of an entity, which those of its factors and challenges start with.
  func url(ofEntity identity: String) -> String {
    "\(baseURL)/v2/Services/\(service.sid)/Entities/\(identity)"
  }

  /// The path of a list in the links of its pages. Source: contract 2.3.
  func listPath(_ entity: Entity, _ list: String) -> String {
    "/v2/Services/\(service.sid)/Entities/\(entity.identity.lowercased())/\(list)"
  }
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
      let url = context.url(ofEntity: identity)
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
