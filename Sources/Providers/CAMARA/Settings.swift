import Domain
import JSON
import ProviderKit

/// What the public texts leave open. Source: contract 12.
struct Settings: ProviderSettings {
  enum UnknownMembers: String, CaseIterable, Sendable {
    case ignore
    case refuse
  }

  enum ClientAuth: String, CaseIterable, Sendable {
    case any
    case privateKeyJWT = "private_key_jwt"
  }

  /// The answer to a `maxAge` of zero or less.
  enum MaxAgeBelowOne: String, CaseIterable, Sendable {
    case outOfRange = "OUT_OF_RANGE"
    case invalidArgument = "INVALID_ARGUMENT"
  }

  enum UnknownNumbers: String, CaseIterable, Sendable {
    case open
    case notFound = "404"
  }

  var unknownMembers = UnknownMembers.ignore
  var clientAuth = ClientAuth.any
  var purposes: [String]?
  var unknownNumbers = UnknownNumbers.open
  var monitoredPeriod: Int?
  var maxAgeBelowOne = MaxAgeBelowOne.outOfRange
  var newSIMCountsAsSwap = true

  static let provider = CAMARAProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "CAMARASettings", "What the public texts about CAMARA leave open, or that tests need.",
    [
      .field(
        "unknownMembers", \.unknownMembers, .word, default: .ignore,
        "Members of a body that the specification does not have: ignored, or refused with INVALID_ARGUMENT."),
      .field(
        "unknownNumbers", \.unknownNumbers, .word, default: .open,
        "Numbers that can exist but have no record: open, a plain line each; or 404 IDENTIFIER_NOT_FOUND."),
    ] + authorizationFields + simSwapFields)

  private static let authorizationFields: [Field<Settings>] = [
    .field(
      "clientAuth", \.clientAuth, .word, default: .any,
      "How clients sign in: any known way, or private_key_jwt only, as the profile demands."),
    .nullable(
      "purposes", \.purposes, .array(of: .purposeName, maxItems: SandboxLimits.items),
      "The purposes that clients may name, such as FraudPreventionAndDetection; null: all."),
  ]

  private static let simSwapFields: [Field<Settings>] = [
    .nullable(
      "monitoredPeriod", \.monitoredPeriod, .integer(1...10_000),
      "For how many days the operator keeps the times of SIM swaps; null: forever."),
    .field(
      "maxAgeBelowOne", \.maxAgeBelowOne, .word, default: .outOfRange,
      "The error for a maxAge of zero or less."),
    .field(
      "newSimCountsAsSwap", \.newSIMCountsAsSwap, .boolean, default: true,
      "Whether a new contract, a number brought along and a new holder count as a SIM swap."),
  ]
}
