import ProviderKit

/// The numbers that a client can use in a flow. Source: contract 9.
struct TestUsers {
  let sandbox: Sandbox
  let settings: Settings
  let client: Client
  let solution: Solution

  init(_ solution: Solution, of client: Client, _ settings: Settings, in sandbox: Sandbox) {
    self.sandbox = sandbox
    self.settings = settings
    self.client = client
    self.solution = solution
  }

  init(_ solution: Solution, of context: RequestContext) {
    self.init(solution, of: context.client, context.settings, in: context.sandbox)
  }

  /// The user of a number; throws 8007 and 8009.
  func user(of number: MobileNumber) throws -> TestUser {
    guard let user = try TestUser.find(number.number, in: sandbox) else {
      return try stranger(number.number)
    }
    guard user.solutions.contains(solution) else {
      let words = user.solutions.map(\.rawValue).joined(separator: ", ")
      throw APIError(.otherSolution).because("\(number.text) is a test user of \(words), not of \(solution)")
    }
    guard client.solutions.contains(solution) else {
      throw APIError(.otherSolution).because("client \(client.id) may not use \(solution)")
    }
    return user
  }

  /// A person who passes everything, if the sandbox accepts numbers that are not a test user's.
  private func stranger(_ number: PhoneNumber) throws -> TestUser {
    guard settings.unknownNumbers == .accept else {
      throw APIError(.unknownTestUser).because(
        "\(number) is no test user; add one to `testUsers` of a seed, or set `unknownNumbers` to accept")
    }
    if let why = try sandbox.numbers.refusal(of: number, provider: ProveProvider.name) {
      throw APIError(.unknownTestUser).because(why)
    }
    var user = TestUser()
    user.number = number.description
    user.possession.mobileAuth = .passes
    return user
  }
}

extension Session.Kind {
  /// Whose test users a flow accepts.
  var solution: Solution {
    switch self {
    case .unify, .auth: .unify
    case .preFill: .identity
    }
  }
}

extension TestUser {
  /// Fails the first call of a flow if the script says so. Source: contract 9.2.
  func rejectStart(in sandbox: Sandbox) throws {
    switch possession.start {
    case .succeeds: return
    case .internalError: throw APIError(.internalError).because("the script of test user \(number)")
    case .rateLimitedOnce:
      guard try Self.rateLimited.find(number, in: sandbox) == nil else { return }
      try Self.rateLimited.save(number, as: number, in: sandbox)
      throw APIError.tooManyRequests(retryAfter: 1).because("the script of test user \(number), once")
    }
  }

  /// Those whose first call was rejected.
  private static let rateLimited = RecordTable(
    texts: "rate limited", of: ProveProvider.name, member: "number")
}
