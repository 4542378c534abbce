import ProviderKit

/// A group of the provider's products. Source: contract 2.3.
enum Solution: String, CaseIterable {
  case unify
  case identity
  case verify
  case identityManager
}

/// Credentials of a back end, and what they may use. Source: contract 2.3.
struct Client: SeededClient {
  static let provider = ProveProvider.name

  var id = ""
  var secret = ""
  var solutions = Solution.allCases
  var mobileAuth = true
  var phoneNumberChange = true
  var instantLinkMobile = true
  var deviceContext = true
  var preFill = true
  var kyc = false

  /// One of `clients` in seeds.
  static let schema = Schema<Client>(
    "ProveClient", "Credentials of a back end, and what they may use.",
    [
      .required("clientId", \.id, .string(1...200), "The id."),
      .required(
        "clientSecret", \.secret, .string(1...200),
        "The secret. A masked secret, as in exports, keeps the present one."),
    ] + options)

  static let table = RecordTable(
    "client", of: provider, Schema<Client>([.required("clientId", \.id, .string)] + options)
  ) { Client() }

  /// What is stored apart from id and secret.
  private static let options: [Field<Client>] = [
    .field(
      "solutions", \.solutions, .distinctWords(minItems: 1), default: Solution.allCases,
      "The products whose test users it may use."),
    .field("mobileAuth", \.mobileAuth, .boolean, default: true, "Whether Mobile Auth is attempted."),
    .field(
      "phoneNumberChange", \.phoneNumberChange, .boolean, default: true,
      "Whether people may enter another number."),
    .field(
      "instantLinkMobile", \.instantLinkMobile, .boolean, default: true,
      "Whether apps on handsets may use Instant Link."),
    .field(
      "deviceContext", \.deviceContext, .boolean, default: true,
      "Whether a device that lost its key may recover it."),
    .field(
      "preFill", \.preFill, .boolean, default: true,
      "Whether start begins Pre-Fill. False: the Identity flow, which has no challenge."),
    .field("kyc", \.kyc, .boolean, default: false, "Whether results of Pre-Fill contain idv and kyc."),
  ]

  static func newID(_ label: String, in sandbox: Sandbox) -> String {
    sandbox.credentialName(label, length: 24, of: .alphanumeric)
  }
}
