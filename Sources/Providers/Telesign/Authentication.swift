import Crypto
import ProviderKit

/// The credentials in a request's `Authorization` header, not verified yet. Source: contract 2.2 and 2.3.
enum AuthorizationHeader: Equatable {
  /// `Basic`; the password is an API key.
  case basic(customer: String, key: String)
  /// `TSA customer:signature`; the request is signed with an API key.
  case digest(customer: String, signature: String)

  init?(_ headers: Headers) {
    if let basic = BasicAuthentication(headers) {
      self = .basic(customer: basic.name, key: basic.password)
      return
    }
    guard let field = headers["Authorization"] else { return nil }
    let words = field.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "tsa",
      let colon = words[1].firstIndex(of: ":"), colon != words[1].startIndex,
      words[1].index(after: colon) != words[1].endIndex
    else { return nil }
    self = .digest(
      customer: String(words[1][..<colon]), signature: String(words[1][words[1].index(after: colon)...]))
  }

  /// The customer id, not verified yet.
  var customer: String {
    switch self {
    case .basic(let customer, _), .digest(let customer, _): customer
    }
  }
}

struct Authentication {
  let request: Request
  let format: ErrorFormat
  let settings: Settings
  let sandbox: Sandbox

  /// The customer id of the caller. The checks are in the order of contract 2.5.
  ///
  /// If the sandbox is open, unknown customer ids of any form are accepted, so that an app can keep its own
  /// credentials. Their keys are unknown, so their signatures are not checked.
  func customer() throws -> String {
    guard let sent = request.headers.bytes(of: "Authorization") else { throw unauthorized(.noAuthorization) }
    if let customer: String = sandbox.accounts.lastCaller(signedInWith: sent, of: TelesignProvider.name) {
      try requireActive()
      try checkSourceAndHost()
      return customer
    }
    guard let header = AuthorizationHeader(request.headers) else {
      throw unauthorized(.malformedAuthorization).because("expected Basic … or TSA customer:signature")
    }
    let known = try sandbox.accounts.find(header.customer, of: TelesignProvider.name)
    guard known != nil || sandbox.acceptsUnknownAccounts && !header.customer.isEmpty else {
      throw unauthorized(.unknownCustomer).because(
        "sandbox \(sandbox.name) has no customer \(header.customer)")
    }
    try requireActive()
    let examples = known.map { exampleKeys(of: $0) } ?? []
    switch header {
    case .basic(_, let key):
      func isKey(in keys: [String]) -> Bool { keys.contains { constantTimeEqual($0, key) } }
      if known.map({ isKey(in: $0.apiKeys) }) ?? true {
        sandbox.accounts.remember(header.customer, signedInWith: sent, of: TelesignProvider.name)
      } else if !isKey(in: examples) {
        // A key of the examples is not remembered, because the setting `auth.strict` can refuse it later.
        throw unauthorized(.wrongKey)
      }
    case .digest(_, let signature):
      let keys = known.map { $0.apiKeys + examples }
      let digest = try Digest(request, in: sandbox, settings, unauthorized: unauthorized)
      if let keys, !digest.verifies(signature, keys: keys, strictly: settings.isStrict) {
        throw digest.explain(unauthorized(.wrongSignature), keys: keys, signature)
      }
      try digest.storeNonce(of: header.customer, in: sandbox, settings)
    }
    try checkSourceAndHost()
    return header.customer
  }

  private func unauthorized(_ failure: AuthFailure) -> APIError {
    .unauthorized(failure, in: format, fineGrained: settings.fineGrained34xx)
  }

  private func requireActive() throws(APIError) {
    switch settings.accountState {
    case .active: break
    case .suspended: throw unauthorized(.suspended)
    case .notActivated: throw unauthorized(.notActivated)
    }
  }

  /// The keys that the provider's examples have for its example customer. They are accepted like unknown
  /// customers, so that an example works unchanged.
  private func exampleKeys(of account: Credential) -> [String] {
    guard account.name == "FFFFFFFF-EEEE-DDDD-1234-AB1234567890", sandbox.acceptsUnknownAccounts,
      !settings.isStrict
    else { return [] }
    return [
      "ABC12345yusumoN6BYsBVkh+yRJ5czgsnCehZaOYldPJdmFh6NeX8kunZ2zU1YWaUw/0wV6xfw==",
      "EXAMPLE----TE8sTgg45yusumoN6BYsBVkh+yRJ5czgsnCehZaOYldPJdmFh6NeX8kunZ2zU1YWaUw/0wV6xfw==",
    ]
  }

  /// Checks the client's address and the host against the settings of the account.
  private func checkSourceAndHost() throws {
    guard settings.sourceIP.isEmpty || settings.sourceIP == request.peer.prefix(while: { $0 != ":" }) else {
      throw unauthorized(.foreignSource)
        .because("the account accepts requests from \(settings.sourceIP) only (setting account.source_ip)")
    }
    guard !settings.host.isEmpty else { return }
    let host = request.host.prefix { $0 != ":" }.lowercased()
    guard !TelesignProvider.hosts.contains(host) || settings.host == host else {
      throw unauthorized(.wrongHost)
        .because("the account may use the host \(settings.host) only (setting account.host)")
    }
  }
}

/// Reasons to answer 401. Source: contract 2.5.
enum AuthFailure {
  case noAuthorization, malformedAuthorization, unknownCustomer, suspended, notActivated
  case unknownMethod, noDate, brokenDate, dateOutOfRange, nonceLength, nonceUsed
  case wrongSignature, wrongKey, foreignSource, wrongHost, productDisabled

  /// The code in each error format; for omnichannel the fine-grained one.
  fileprivate var codes: (legacy: Int, flat: Int, omnichannel: Int) {
    switch self {
    case .noAuthorization: (-30004, 10009, 3405)
    case .malformedAuthorization: (-30005, 10028, 3412)
    case .unknownCustomer: (-30000, 10015, 3410)
    case .suspended: (-30001, 10010, 3406)
    case .notActivated: (-30002, 10010, 3400)
    case .unknownMethod: (-30008, 10006, 3400)
    case .noDate: (-30007, 10007, 3400)
    case .brokenDate: (-30009, 10005, 3400)
    case .dateOutOfRange: (-30010, 10004, 3400)
    case .nonceLength: (-30011, 10003, 3400)
    case .nonceUsed: (-30012, 10002, 3400)
    case .wrongSignature: (-30006, 10008, 3400)
    case .wrongKey: (-30015, 10022, 3411)
    case .foreignSource: (-10009, 10014, 3409)
    case .wrongHost: (-10001, 10035, 3413)
    case .productDisabled: (-20002, 10011, 3906)
    }
  }
}

extension APIError {
  /// `fineGrained`: the omnichannel format tells the exact reason instead of 3400.
  static func unauthorized(_ failure: AuthFailure, in format: ErrorFormat, fineGrained: Bool) -> Self {
    let codes = failure.codes
    switch format {
    case .legacy:
      var error =
        failure == .wrongHost
        ? Self(codes.legacy, 401, "Not Allowed Host", in: format) : Self(codes.legacy, in: format)
      // The specification has this member in every such error; it is empty unless the signature is wrong.
      error.signatureString = ""
      return error
    case .flat: return Self(codes.flat, in: format)
    case .omnichannel: return Self(fineGrained ? codes.omnichannel : 3400, in: format)
    case .silent: return Self(40002, in: format)
    }
  }

  /// Source: contract 2.5, last row.
  static func productDisabled(_ product: Product, in format: ErrorFormat) -> Self {
    guard format == .omnichannel else {
      return unauthorized(.productDisabled, in: format, fineGrained: false)
    }
    return Self(product == .verify ? 3906 : 3206, in: format)
  }
}
