import ProviderKit

/// A version of an API: what its official file has otherwise than the newest one's. Source: contract 1.1.
struct APIVersion: Sendable {
  typealias Replacement = (code: ErrorCode, message: String?)

  var release = Release.fall25
  /// The errors that it has instead of others.
  var replacements: [ErrorCode: Replacement] = [:]
  /// Members of bodies and answers that it does not have.
  var absentMembers: Set<String> = []

  /// The older versions, each with its base path and that of the newest one, whose operations it has.
  static let older: [(base: String, newest: String, version: APIVersion)] = [
    ("/sim-swap/v1", "/sim-swap/v2", simSwap1),
    ("/number-verification/v1", "/number-verification/v2", APIVersion(release: .fall24)),
    ("/device-swap/v0.2", "/device-swap/v1", APIVersion(release: .spring25)),
    ("/kyc-match/v0.3", "/kyc-match/v0.4", match03),
    ("/sim-swap-subscriptions/v0.2", EventAPI.simSwap.path, APIVersion(release: .spring25)),
    ("/device-roaming-status-subscriptions/v0.7", EventAPI.roaming.path, APIVersion(release: .spring25)),
    (
      "/device-reachability-status-subscriptions/v0.7", EventAPI.reachability.path,
      APIVersion(release: .spring25)
    ),
  ]

  private static let simSwap1 = APIVersion(
    release: .fall24,
    replacements: [
      .outOfRange: (.invalidArgument, nil), .identifierNotFound: (.notFound, nil),
      .serviceNotApplicable: (.notSupported, nil), .missingIdentifier: (.unidentifiablePhoneNumber, nil),
    ], absentMembers: ["monitoredPeriod"])

  private static let match03 = APIVersion(
    release: .spring25,
    absentMembers: [
      "idDocumentType", "idDocumentExpiryDate", "cityOfBirth", "countryOfBirth", "nationality",
    ])

  private static let newest = APIVersion()
  private static let searches = older.map { (search: ByteSearch(for: "\($0.base)/"), version: $0.version) }

  /// The version of a request's path, which can begin with the path of a dialect.
  init(of path: String) {
    let path = Array(path.utf8)
    self = Self.searches.first { $0.search.isFound(in: path) }?.version ?? Self.newest
  }

  private init(
    release: Release = .fall25, replacements: [ErrorCode: Replacement] = [:], absentMembers: Set<String> = []
  ) {
    self.release = release
    self.replacements = replacements
    self.absentMembers = absentMembers
  }

  func has(_ member: String) -> Bool { !absentMembers.contains(member) }

  /// What this version answers instead of an error of the newest one.
  func error(insteadOf error: APIError) -> APIError {
    guard let code = ErrorCode(rawValue: error.code),
      let (other, message) = replacements[code] ?? release.replacements[code]
    else { return error }
    return error.replaced(by: other, message)
  }

  /// The operations of the older versions.
  static func routes(of newest: [Route<Sandbox>]) -> [Route<Sandbox>] {
    older.flatMap { version in newest.again(under: version.base, insteadOf: version.newest) }
  }
}

/// A meta-release: what its files have in common, by the Commonalities that they are based on.
/// Source: contract 1.1.
enum Release: String, CaseIterable, Sendable {
  /// Commonalities 0.4.
  case fall24
  /// Commonalities 0.5.
  case spring25
  /// Commonalities 0.6.
  case fall25

  fileprivate var replacements: [ErrorCode: APIVersion.Replacement] {
    guard self != .fall25 else { return [:] }
    return [
      .unauthenticated: (
        .unauthenticated, "Request not authenticated due to missing, invalid, or expired credentials."
      ), .invalidSink: (.invalidArgument, nil),
    ]
  }

  /// The values of `x-correlator`.
  var correlatorFormat: String {
    switch self {
    case .fall24: "any text"
    case .spring25: "up to 55 letters, digits and -"
    case .fall25: "up to 256 letters, digits and -_:;./<>{}"
    }
  }

  func allows(correlator text: String) -> Bool {
    switch self {
    case .fall24: true
    case .spring25:
      text.utf8.count <= 55 && text.utf8.allSatisfy { $0.isAlphanumeric || "-".utf8.contains($0) }
    case .fall25:
      text.utf8.count <= 256
        && text.utf8.allSatisfy { $0.isAlphanumeric || #"-_:;./<>{}"#.utf8.contains($0) }
    }
  }
}
