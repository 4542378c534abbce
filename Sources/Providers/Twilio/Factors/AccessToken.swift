import Crypto
import ProviderKit

/// Permits an app on a phone to create one push factor for an entity. Source: contract 8.4.
struct AccessToken: Equatable, Sendable {
  var sid = ""
  /// The account that created it.
  var account = ""
  var service = ""
  var identity = ""
  var friendlyName: String?
  /// In seconds.
  var lifetime = 60
  var createdAt = Timestamp.earliest
  /// What the app presents: five parts in base64url, as those of a JWE. Only the sandbox reads it.
  var text = ""

  private static let schema = Schema<AccessToken>([
    .required("sid", \.sid, .string),
    .required("account", \.account, .string),
    .required("service", \.service, .string),
    .required("identity", \.identity, .string),
    .optional("friendlyName", \.friendlyName, .string),
    .required("lifetime", \.lifetime, .count),
    .required("createdAt", \.createdAt, .timestamp),
    .required("token", \.text, .string),
  ])

  private static let table = RecordTable("access token", of: TwilioProvider.name, schema) { AccessToken() }

  /// Older ones are deleted.
  private static let limitPerService = 1000

  /// Fails with 60305 for a bad parameter.
  fileprivate init(_ form: Form, in context: RequestContext) throws {
    form.declare(["Identity", "FactorType", "FactorFriendlyName", "Ttl"])
    guard let identity = form.text("Identity"), Entity.isIdentity(identity) else {
      throw Self.invalid("Identity", expected: Entity.identityFormat)
    }
    guard form.text("FactorType") == "push" else { throw Self.invalid("FactorType", expected: "push") }
    friendlyName = form.text("FactorFriendlyName")
    guard (friendlyName?.count ?? 1) <= 64 else {
      throw Self.invalid("FactorFriendlyName", expected: "at most 64 characters")
    }
    if let text = form.text("Ttl") {
      guard let seconds = Int(text), (60...300).contains(seconds) else {
        throw Self.invalid("Ttl", expected: "an integer from 60 to 300")
      }
      lifetime = seconds
    }
    self.identity = identity
    account = context.caller.account
    service = context.service.sid
    createdAt = context.sandbox.clock.now
  }

  private init() {}

  private static func invalid(_ name: String, expected: String) -> APIError {
    APIError(code: 60305).because("\(name): expected \(expected)")
  }

  fileprivate mutating func create(in sandbox: Sandbox) throws {
    let ordinal = sandbox.nextOrdinal()
    sid = Self.sid(ordinal, in: sandbox)
    text = Self.text(ordinal, account: account, in: sandbox)
    try Self.table.add(
      self, as: sid, group: service, ordinal: ordinal, keeping: Self.limitPerService, in: sandbox)
  }

  static func find(_ sid: String, ofService service: String, in sandbox: Sandbox) throws -> AccessToken? {
    guard let token = try table.find(sid, in: sandbox), token.service == service else { return nil }
    return token
  }

  /// The token of a text; nil for other texts and for a token that has expired.
  static func find(text: String, in sandbox: Sandbox) throws -> AccessToken? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 5, let content = Base64.decodeFromURL(parts[3]),
      let (ordinal, part) = sandbox.tokenEntropy.ordinals(of: Hex.encode(content.prefix(16)), under: label),
      part == 0, let token = try table.find(sid(ordinal, in: sandbox), in: sandbox),
      constantTimeEqual(token.text, text), sandbox.clock.now < token.createdAt + .seconds(token.lifetime)
    else { return nil }
    return token
  }

  static func deleteAll(of service: String, in sandbox: Sandbox) throws {
    try table.deleteGroup(service, in: sandbox)
  }

  /// The account that a text names, not verified; nil for other texts. It selects the sandbox.
  static func unverifiedAccount(of text: String) -> String? {
    guard let header = Base64.decodeFromURL(text.prefix { $0 != "." }), let fields = try? Fields(header)
    else {
      return nil
    }
    return try? fields.optionalString("kid")
  }

  private static func sid(_ ordinal: Int, in sandbox: Sandbox) -> String {
    sandbox.entropy.labelledIdentifier("YK", ordinal)
  }

  /// The header, no key, an initialisation vector, the content with the ordinal, and a tag.
  private static func text(_ ordinal: Int, account: String, in sandbox: Sandbox) -> String {
    let header = JSONWriter.object { json in
      json.member("zip", "DEF")
      json.member("kid", account)
      json.member("cty", "twilio-fpa;v=1")
      json.member("enc", "A256GCM")
      json.member("alg", "dir")
    }
    let entropy = sandbox.tokenEntropy
    let secret =
      Hex.decode(entropy.secret("access token \(ordinal)", length: 88, of: .hex).utf8) ?? []
    let content = (Hex.decode(entropy.identifier(label, ordinal).utf8) ?? []) + secret.dropFirst(28)
    let parts = [header, [], Array(secret.prefix(12)), content, Array(secret.dropFirst(12).prefix(16))]
    return parts.map { Base64.encodeForURL($0) }.joined(separator: ".")
  }

  private static let label: StaticString = "access token"
}

func createAccessToken(_ context: RequestContext) throws -> Response {
  var token = try AccessToken(context.request.form, in: context)
  // A factor of this entity follows, so the entity exists from now on. Source: contract 9.1.
  if try Entity.find(token.identity, ofService: token.service, in: context.sandbox) == nil {
    _ = try Entity.create(token.identity, in: context)
  }
  try token.create(in: context.sandbox)
  return .json(201, token.body(for: context))
}

func fetchAccessToken(_ context: RequestContext) throws -> Response {
  let sid = context.request[parameter: "token"]
  guard let token = try AccessToken.find(sid, ofService: context.service.sid, in: context.sandbox) else {
    throw APIError.notFound(context.settings.notFoundPath(context.request.target.path))
      .because("no access token \(sid)")
  }
  return .json(200, token.body(for: context))
}

extension AccessToken {
  fileprivate func body(for context: RequestContext) -> [UInt8] {
    JSONWriter.object { json in
      json.member("sid", sid)
      json.member("account_sid", context.shownAccount)
      json.member("service_sid", service)
      json.member("entity_identity", identity)
      json.member("factor_type", Factor.Kind.push.rawValue)
      json.member("factor_friendly_name", friendlyName)
      json.member("token", text)
      json.member("ttl", lifetime)
      createdAt.write(iso8601: "date_created", to: &json)
      json.member("url", "\(context.baseURL)/v2/Services/\(service)/AccessTokens/\(sid)")
    }
  }
}
