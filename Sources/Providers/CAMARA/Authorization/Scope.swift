import ProviderKit

/// What a client asks for. Source: contract 3.3.
struct Scope: Equatable, Sendable {
  var isOpenID = false
  var isOffline = false
  /// With its prefix `dpv:`.
  var purpose: String?
  /// Of the APIs, in the order of the request, each once.
  var names: [String] = []

  static let schema = Schema<Scope>([
    .field("openid", \.isOpenID, .boolean, default: false),
    .field("offline", \.isOffline, .boolean, default: false),
    .optional("purpose", \.purpose, .string),
    .field("names", \.names, .array(of: .string), default: []),
  ])

  init() {}

  private static let openID = "openid"
  private static let offlineAccess = "offline_access"

  /// Fails with `invalid_scope` for a scope or a purpose that the client may not ask for.
  init(
    _ text: String, of client: Client, _ settings: Settings, isLenient: Bool = false
  ) throws(OAuthError) {
    let text = isLenient ? Dialects.scope(text) : text
    for word in text.split(separator: " ").map(String.init) {
      switch word {
      case Self.openID: isOpenID = true
      case Self.offlineAccess: isOffline = true
      case _ where word.hasPrefix(Purpose.prefix):
        guard purpose == nil || purpose == word else { throw .scope("more than one purpose") }
        guard Purpose.isPermitted(word, to: client, settings) else { throw .scope("the purpose \(word)") }
        purpose = word
      default:
        guard Self.known.contains(word), client.scopes?.contains(word) ?? true else {
          throw .scope("the scope \(word)")
        }
        if !names.contains(word) { names.append(word) }
      }
    }
    guard !names.isEmpty else { throw .scope("no scope of an API") }
  }

  /// A request about a subscriber names one purpose.
  func requirePurpose() throws(OAuthError) {
    if purpose == nil { throw .scope("no purpose") }
  }

  /// True if it has a name, or one that covers it: `sim-swap` covers `sim-swap:check`.
  func covers(_ wanted: String) -> Bool {
    names.contains { $0 == wanted || !$0.contains(":") && wanted.hasPrefix("\($0):") }
  }

  /// A part of this scope, with its purpose.
  func narrowed(to part: Scope) throws(OAuthError) -> Scope {
    guard part.names.allSatisfy(covers), isOpenID || !part.isOpenID, isOffline || !part.isOffline,
      part.purpose ?? purpose == purpose
    else { throw .scope("more than the subscriber has granted: \(text)") }
    var part = part
    part.purpose = purpose
    return part
  }

  /// True if it has one of Number Verification's, which never shows a page.
  var isForNumberVerification: Bool { names.contains { $0.hasPrefix("number-verification:") } }

  /// The value of `scope` in answers.
  var text: String {
    ((isOpenID ? [Self.openID] : []) + (purpose.map { [$0] } ?? []) + names
      + (isOffline ? [Self.offlineAccess] : [])).joined(separator: " ")
  }

  static let supported = [openID, offlineAccess] + known

  /// Those of each API, in the order of the contract.
  private static let known =
    numberVerification + simSwap + oneTimePassword + deviceSwap + numberRecycling + callForwarding
    + deviceStatus + match + tenure + ageVerification + subscriptionStatus + deviceIdentifier + consentInfo
    + EventAPI.allCases.flatMap(\.scopes)
}

/// Why a client wants personal data, by the Data Privacy Vocabulary: `dpv:FraudPreventionAndDetection`.
enum Purpose {
  static let prefix = Consent.purposePrefix

  static func isPermitted(_ purpose: String, to client: Client, _ settings: Settings) -> Bool {
    let name = String(purpose.dropFirst(prefix.count))
    return Consent.isPurposeName(name) && settings.purposes?.contains(name) ?? true
      && client.purposes?.contains(name) ?? true
  }
}

extension OAuthError {
  fileprivate static func scope(_ what: String) -> OAuthError {
    OAuthError(.invalidScope, "The client may not ask for this: \(what).")
  }
}
