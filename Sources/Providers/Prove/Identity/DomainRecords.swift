import ProviderKit

/// A client as other clients see it. Source: contract 7.7.
struct ClientDomain: StoredRecord, Equatable {
  var clientID = ""
  var pcid = ""
  var name = ""
  var issuerID = ""

  /// One of `domains` in seeds.
  static let schema = Schema<ClientDomain>(
    "ProveDomain", "A client as other clients see it.",
    [
      .required("clientId", \.clientID, .string(0...200), "The client."),
      .required("pcid", \.pcid, .string(1...100), "The domain's id."),
      .required("name", \.name, .string(1...200), "The domain's name."),
      .required("issuerId", \.issuerID, .string(1...200), "Who issues the attributes of its identities."),
    ])

  /// The domain of a client; the first call creates it.
  static func of(_ clientID: String, in sandbox: Sandbox) throws -> ClientDomain {
    if let known = try table.find(clientID, in: sandbox) { return known }
    let name = clientID.isEmpty ? "Sandbox" : clientID
    let new = ClientDomain(
      clientID: clientID, pcid: IdentifierKind.domain.new(in: sandbox), name: name, issuerID: name)
    try new.save(in: sandbox)
    return new
  }

  static func find(pcid: String, in sandbox: Sandbox) throws -> ClientDomain? {
    try all(in: sandbox).first { $0.pcid == pcid }
  }

  var key: String { clientID }
  static let table = RecordTable("domain", of: ProveProvider.name, schema) { ClientDomain() }
}

/// One domain's access to the identities of another, or the request for it. Source: contract 7.7.
struct DomainLink: StoredRecord, Equatable {
  /// The pcid of the domain that asked.
  var from = ""
  /// The pcid of the domain that was asked.
  var to = ""
  var scopes: [String] = []
  var requestedAt = Timestamp.earliest
  /// Nil while it is only a request.
  var acceptedAt: Timestamp?

  /// One of `domainLinks` in seeds.
  static let schema = Schema<DomainLink>(
    "ProveDomainLink", "A link of two domains, or a request for one.",
    [
      .required("from", \.from, .string(1...100), "The pcid of the domain that asked."),
      .required("to", \.to, .string(1...100), "The pcid of the domain that was asked."),
      .field(
        "scopes", \.scopes, .array(of: .string(1...200), maxItems: SandboxLimits.items), default: [],
        "What the link is for."),
      .field("requestedAt", \.requestedAt, .timestamp, "When it was requested."),
      .optional("acceptedAt", \.acceptedAt, .timestamp, "When it was accepted; absent for a request."),
    ])

  static func find(from: String, to: String, in sandbox: Sandbox) throws -> DomainLink? {
    try table.find("\(from) \(to)", in: sandbox)
  }

  var key: String { "\(from) \(to)" }
  static let table = RecordTable("domain link", of: ProveProvider.name, schema) { DomainLink() }
}

/// Seeds.
extension DomainLink {
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var link = DomainLink()
    link.requestedAt = sandbox.clock.now
    try schema.merge(fields, into: &link)
    try link.save(in: sandbox)
  }
}
