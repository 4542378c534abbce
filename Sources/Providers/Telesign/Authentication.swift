import Crypto
import Domain
package import HTTP
import ProviderKit

/// How a request says who calls.
enum SignIn: Equatable {
  /// `Authorization: Basic`; the key's text is the password.
  case basic(customer: String, key: String)
  /// `Authorization: TSA`; the key's bytes have signed the request.
  case digest(customer: String, signature: String)

  /// Reads the field's value; nil where it is neither. Source: contract 2.2 and 2.3.
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

  /// The customer it names.
  var customer: String {
    switch self {
    case .basic(let customer, _), .digest(let customer, _): customer
    }
  }
}

extension TelesignProvider {
  /// The customer that a request signs in for, unproven.
  package static func credential(in request: Request) -> String? { SignIn(request.headers)?.customer }
}

/// Proves who calls, in the order of contract 2.5; the customer id.
///
/// Where the sandbox is open, an unknown customer of the right form is let in, so that an app keeps whatever
/// is in its environment; what it signs with is not known and so not looked at.
func authenticate(
  _ request: Request, _ family: Family, _ settings: Settings, in sandbox: Sandbox
) throws -> String {
  func refused(_ mishap: Mishap) -> Problem {
    .refused(mishap, in: family, fine: settings.fineGrained34xx)
  }
  guard request.headers["Authorization"] != nil else { throw refused(.noAuthorization) }
  guard let signIn = SignIn(request.headers) else {
    throw refused(.malformedAuthorization).because("expected Basic … or TSA customer:signature")
  }
  let known = try sandbox.accounts.find(signIn.customer, of: TelesignProvider.name)
  guard known != nil || sandbox.acceptsUnknownAccounts && isCustomerID(signIn.customer) else {
    throw refused(.unknownCustomer).because("sandbox \(sandbox.name) has no customer \(signIn.customer)")
  }
  if settings.accountState == "suspended" { throw refused(.suspended) }
  if settings.accountState == "not_activated" { throw refused(.notActivated) }
  let keys = known.map { $0.secret.split(separator: " ").map(String.init) }
  switch signIn {
  case .basic(_, let key):
    guard keys?.contains(where: { constantTimeEqual($0, key) }) ?? true else {
      throw refused(.wrongKey)
    }
  case .digest(_, let signature):
    let digest = try Digest(request, in: sandbox, settings, refused: refused)
    if let keys, !digest.isSigned(by: keys, signature, strictly: settings.isStrict) {
      throw digest.refusal(refused(.wrongSignature), keys: keys, signature)
    }
    try digest.noteNonce(of: signIn.customer, in: sandbox, settings)
  }
  try admit(request, settings, refused: refused)
  return signIn.customer
}

/// Whether the account may be used from there, at this host.
private func admit(
  _ request: Request, _ settings: Settings, refused: (Mishap) -> Problem
) throws {
  let peer = request.peer.prefix { $0 != ":" }
  guard settings.sourceIP.isEmpty || settings.sourceIP == peer else {
    throw refused(.foreignSource).because("the account takes requests from \(settings.sourceIP) only")
  }
  let host = request.host.prefix { $0 != ":" }.lowercased()
  guard settings.host.isEmpty || !TelesignProvider.hosts.contains(host) || settings.host == host else {
    throw refused(.wrongHost).because("the account is used at \(settings.host)")
  }
}

/// 8-4-4-4-12 hexadecimal digits. Source: contract 2.1.
func isCustomerID(_ text: String) -> Bool {
  let groups = text.split(separator: "-", omittingEmptySubsequences: false)
  return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
    && groups.joined().utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
