import ProviderKit

/// A network of the chain. Source: contract 4.5.
enum Chain: String, CaseIterable, Sendable {
  case testnet = "flow-testnet"
  case mainnet = "flow-mainnet"

  private static let fieldType = FieldType<Chain>.word

  /// The network that an object of a request names, or that of the request's host. Source: contract 5.1.
  static func named(in fields: Fields, of context: RequestContext) throws -> Chain {
    try fieldType.read(fields, "chainName")
      ?? (context.request.host.hasPrefix("api.hyphen.at") ? .mainnet : .testnet)
  }

  /// A page about a transaction.
  func url(ofTransaction id: String) -> String {
    switch self {
    case .testnet: "https://testnet.flowscan.io/tx/\(id)"
    case .mainnet: "https://www.flowscan.io/tx/\(id)"
    }
  }
}

/// The account of a user, whom Firebase has authenticated. Source: contract 4.5.
struct Account: StoredRecord, Equatable {
  var id = ""
  /// In lower case.
  var email = ""
  /// The same on all its networks.
  var address = ""
  var chains: [Chain] = []
  var createdAt = Timestamp.earliest

  private static let schema = Schema<Account>([
    .required("id", \.id, .string), .required("email", \.email, .string),
    .required("address", \.address, .string),
    .required("chains", \.chains, .distinctWords()),
    .required("createdAt", \.createdAt, .preciseTimestamp),
  ])

  var key: String { id }
  static let table = RecordTable("account", of: HyphenProvider.name, schema) { Account() }
  /// From the user to the id.
  private static let byEmail = RecordTable(texts: "account of user", of: HyphenProvider.name, member: "id")

  /// The account of a user; one of a seed is created when it is asked for first.
  static func find(_ user: FirebaseIdentity, in sandbox: Sandbox) throws -> Account? {
    if let id = try byEmail.find(user.email, in: sandbox) { return try table.find(id, in: sandbox) }
    return try SeededAccount.find(user.email, in: sandbox).map { try $0.create(in: sandbox) }
  }

  /// The account of a user; fails with 400 if there is none.
  static func require(_ user: FirebaseIdentity, in sandbox: Sandbox) throws -> Account {
    guard let account = try find(user, in: sandbox) else {
      throw APIError(.pleaseSignUp).because("no account of \(user.email)")
    }
    return account
  }

  /// Saves a new account without keys. `id` and `address`: nil for generated ones.
  static func create(
    _ email: String, id: String? = nil, address: String? = nil, on chains: [Chain], at time: Timestamp,
    in sandbox: Sandbox
  ) throws -> Account {
    try table.requireRoom(in: sandbox, limit: SandboxLimits.services)
    let ordinal = sandbox.nextOrdinal()
    var account = Account()
    account.id = id ?? "acc_" + sandbox.entropy.identifier("hyphen account", ordinal)
    account.email = email
    account.address =
      address ?? "0x" + sandbox.entropy.identifier("hyphen address", ordinal).prefix(16)
    account.chains = chains
    account.createdAt = time
    try table.save(account, as: account.id, ordinal: ordinal, in: sandbox)
    try byEmail.save(account.id, as: email, in: sandbox)
    return account
  }

  func write(to json: inout JSONWriter) {
    json.member("id", id)
    json.array("addresses", chains) { json, chain in
      json.value { json in
        json.member("chainName", chain.rawValue)
        json.member("chainType", "cadence")
        json.member("address", address)
      }
    }
    // SDKs require it. Source: contract 4.5.
    json.array("parent", [Account]()) { _, _ in }
    json.member("createdAt", createdAt.iso8601Milliseconds)
  }

  /// Fails with 400 if the account is not on a network.
  func requireDeployed(on chain: Chain) throws(APIError) {
    guard chains.contains(chain) else {
      throw APIError(.pleaseDeploy).because("\(email) has no account on \(chain.rawValue)")
    }
  }
}

/// A change on the chain, which exists in responses only. Source: contract 4.5.
struct Transaction {
  let id: String
  let chain: Chain

  func write(to json: inout JSONWriter) {
    json.object("transaction") {
      $0.member("id", id)
      $0.member("chainName", chain.rawValue)
      $0.member("refUrl", chain.url(ofTransaction: id))
    }
  }
}
