import ProviderKit

/// Outcomes of the Global Fraud Policy by category. Source: contract 4.6.
struct Evaluation: Equatable, Sendable {
  enum Category: String, CaseIterable, Sendable {
    case authentication, identification, compliance, risk
  }

  /// The reasons why a category failed; none if it passed. Absent categories were not evaluated.
  private(set) var failures: [Category: [FraudCode]] = [:]

  static func passed(_ categories: Category...) -> Evaluation {
    Evaluation(failures: Dictionary(categories.map { ($0, []) }) { first, _ in first })
  }

  static func failed(_ codes: FraudCode...) -> Evaluation { Evaluation(failedBy: codes) }

  init(failedBy codes: [FraudCode]) {
    for code in codes { fail(code) }
  }

  private init(failures: [Category: [FraudCode]]) { self.failures = failures }

  /// Does nothing if the category has failed.
  mutating func pass(_ category: Category) { failures[category, default: []] += [] }

  /// Adds a reason to the category of the code.
  mutating func fail(_ code: FraudCode) {
    guard failures[code.category]?.contains(code) != true else { return }
    failures[code.category, default: []].append(code)
  }

  /// True if no category failed.
  var isPassed: Bool { failures.values.allSatisfy(\.isEmpty) }

  /// Writes the member `evaluation`, if a category was evaluated.
  ///
  /// Each category is an object: SDKs reject booleans and arrays here.
  func write(to json: inout JSONWriter) {
    guard !failures.isEmpty else { return }
    json.object("evaluation") { json in
      for category in Category.allCases {
        guard let reasons = failures[category] else { continue }
        json.object(named: category.rawValue) { json in
          json.member("result", reasons.isEmpty ? "pass" : "fail")
          guard !reasons.isEmpty else { return }
          json.object("failureReasons") { json in
            for code in reasons { json.member(named: String(code.rawValue), code.text) }
          }
        }
      }
    }
  }
}

/// Why a category failed: a code of the Global Fraud Policy.
enum FraudCode: Int, CaseIterable, Sendable {
  case notConfirmed = 9001
  case identityNotFound = 9003
  case noSecondarySource = 9004
  case singleSource = 9005
  case tooFewElements = 9011
  case ssnMismatch = 9012
  case birthDateMismatch = 9013
  case nameMismatch = 9014
  case addressMismatch = 9015
  case ssnOlderThanPerson = 9081
  case correctionalFacility = 9082
  case deceased = 9083
  case possessionIncomplete = 9100
  case numberDoesNotMatchKey = 9101
  case nonMobileOverride = 9131
  case publicSMSSite = 9132
  case lowTrustScore = 9133
  case nonFixedVoIP = 9134
  case recentSIMSwap = 9135
  case recentPort = 9136
  case callForwarding = 9137
  case veryShortTenure = 9161
  case shortTenure = 9162
  case recycledNumber = 9163
  case injectionSuspected = 9171
  case noOwnership = 9180

  /// The reputation check of unify reports its code as a risk. Source: contract 9.2.
  var category: Evaluation.Category {
    switch self {
    case .lowTrustScore: .risk
    case _ where rawValue < 9100: .identification
    default: .authentication
    }
  }

  var text: String { Self.texts[self] ?? "" }

  private static let texts = embedded {
    try TextTable(PackageResources.FraudCodes_txt, columns: 2...2).rows(of: FraudCode.self).mapValues {
      $0[1]
    }
  }
}
