import ProviderKit

/// A customer of a client: the provider's id of one number, and what the client enrolled with it.
/// Source: contract 5.8 and 7.4.
struct Identity: Equatable, Sendable {
  var proveID = ""
  var clientID = ""
  /// As the client supplied it. Responses repeat it.
  var phoneNumber = ""
  /// False for numbers that only a possession check knows, and after a disenrollment.
  var isEnrolled = true
  var isActive = true
  var clientCustomerID: String?
  var clientHumanID: String?
  var deviceID: String?
  var attributes: [IdentityAttribute] = []
  var createdAt = Timestamp.earliest

  /// E.164.
  var number: String { MobileNumber(phoneNumber)?.number.description ?? phoneNumber }

  /// Both names of the id: SDKs before April 2026 expect the older one. Source: contract 7.4 and 13.
  func writeID(to json: inout JSONWriter) {
    json.member("proveId", proveID)
    json.member("identityId", proveID)
  }

  /// One of `identities` in seeds.
  static let schema = Schema<Identity>(
    "ProveIdentity", "A customer of a client.",
    [
      .required("clientId", \.clientID, .string(0...200), "The client whose customer it is."),
      .required(
        "phoneNumber", \.phoneNumber,
        .text(.string(pattern: MobileNumber.pattern), expected: MobileNumber.expected) {
          MobileNumber($0) != nil
        },
        "The number, as responses repeat it."),
      .field("proveId", \.proveID, .string(0...100), "The provider's id; a new one if absent."),
      .field(
        "enrolled", \.isEnrolled, .boolean, default: true,
        "Whether Identity Manager lists it. Possession checks also give ids to numbers that are not enrolled."
      ),
      .field("active", \.isActive, .boolean, default: true, "Whether it is active."),
      .optional("clientCustomerId", \.clientCustomerID, .string, "The client's id of the customer."),
      .optional("clientHumanId", \.clientHumanID, .string, "The client's id of the person."),
      .optional("deviceId", \.deviceID, .string, "The id of a device."),
      .field(
        "attributes", \.attributes,
        .objects(IdentityAttribute.schema, maxItems: IdentityAttribute.limit) { IdentityAttribute() },
        default: [], "What other systems know about it."),
      .field("createdAt", \.createdAt, .timestamp, "When it was first known."),
    ])
}

/// A value that discover lists and fetch returns. Source: contract 7.5.
struct IdentityAttribute: Equatable, Sendable {
  var id = ""
  /// `walletId`
  var type = ""
  var value = ""

  /// Of one identity.
  static let limit = 100

  static let schema = Schema<IdentityAttribute>(
    "ProveAttribute", "An attribute of an identity.",
    [
      .required("attributeId", \.id, .string(1...100), "The id."),
      .required("attributeType", \.type, .string(1...200), "What it is, such as walletId."),
      .required("attributeValue", \.value, .string(1...2000), "The value."),
    ])
}

/// Storage.
extension Identity {
  /// The enrolled identity that the path names.
  static func named(by context: RequestContext) throws -> Identity {
    try Body.declareRequestID(of: context)
    let (client, proveID) = (context.client, context.request[parameter: "proveId"])
    guard let identity = try find(proveID, of: client, in: context.sandbox), identity.isEnrolled else {
      throw APIError(.identityNotFound).because("client \(client.id) has no enrolled identity \(proveID)")
    }
    return identity
  }

  static func find(_ proveID: String, of client: Client, in sandbox: Sandbox) throws -> Identity? {
    guard let found = try table.find(proveID, in: sandbox), found.clientID == client.id else { return nil }
    return found
  }

  static func find(_ number: PhoneNumber, clientID: String, in sandbox: Sandbox) throws -> Identity? {
    try byNumber.find(key(number, clientID), in: sandbox).flatMap { try table.find($0, in: sandbox) }
  }

  /// The identity of a number; the first call creates it.
  static func ofNumber(_ number: PhoneNumber, clientID: String, in sandbox: Sandbox) throws -> Identity {
    if let known = try find(number, clientID: clientID, in: sandbox) { return known }
    var new = Identity()
    new.proveID = IdentifierKind.identity.new(in: sandbox)
    new.clientID = clientID
    new.phoneNumber = number.description
    new.isEnrolled = false
    new.createdAt = sandbox.clock.now
    try new.save(in: sandbox)
    return new
  }

  /// The enrolled identities of a client after a position, oldest first.
  static func enrolled(of client: Client, after position: Int = 0, in sandbox: Sandbox) throws
    -> [(position: Int, record: Identity)]
  {
    try table.list(group: client.id, from: .after(position), in: sandbox).filter(\.record.isEnrolled)
  }

  /// Those of all clients, oldest first.
  static func all(in sandbox: Sandbox) throws -> [Identity] { try table.all(in: sandbox) }

  func save(in sandbox: Sandbox) throws {
    try Self.table.save(self, as: proveID, group: clientID, in: sandbox)
    guard let number = PhoneNumber(number) else { return }
    try Self.byNumber.save(proveID, as: Self.key(number, clientID), in: sandbox)
  }

  private static func key(_ number: PhoneNumber, _ clientID: String) -> String { "\(clientID) \(number)" }

  private static let table = RecordTable("identity", of: ProveProvider.name, schema) { Identity() }
  /// The ids, by client and number.
  private static let byNumber = RecordTable(
    texts: "identity of number", of: ProveProvider.name, member: "proveId")
}

/// Seeds.
extension Identity {
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var identity = Identity()
    identity.createdAt = sandbox.clock.now
    try schema.merge(fields, into: &identity)
    if identity.proveID.isEmpty { identity.proveID = IdentifierKind.identity.new(in: sandbox) }
    try identity.save(in: sandbox)
  }
}
