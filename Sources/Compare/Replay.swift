import ProviderKit

/// Sends recorded requests to a sandbox, one after the other, and compares its answers with the recorded
/// ones.
///
/// ```
/// clock to the entry's time ──> send ──> same? ──yes──> keep
///                                │ no: undone
///                                └─> other credentials? another code? what depends on the number? ──> send, keep
/// ```
package struct Replay {
  private let server: ReplayServer
  private let recording: Recording
  private var ids = IdMap()
  /// The number of checks of each verification so far.
  private var checks: [Int: Int] = [:]
  private var redaction: Redaction
  /// The providers that got the sandbox's own credentials.
  private var signedIn: Set<String> = []

  package init(_ recording: Recording, on server: ReplayServer) {
    self.recording = recording
    self.server = server
    redaction = Redaction(recording)
  }

  package mutating func run() throws -> CompareReport {
    var report = CompareReport(recording)
    for entry in recording.entries {
      try server.advance(to: entry.time)
      // In an open sandbox, unknown accounts are valid; a recorded refusal needs one where they are not.
      server.sandbox.acceptsUnknownAccounts = entry.answer.status != 401
      guard let operation = server.operation(for: try entry.request()) else {
        report.addForeign()
        continue
      }
      redaction.addSecrets(of: entry, named: server.sandbox.secretNames(of: operation.provider.name))
      let result = try replay(entry, operation)
      report.add(result, of: entry, operation)
      try server.settle()
    }
    report.finish(redaction, ownCredentials: signedIn, problems: server.problems)
    return report
  }

  // MARK: One request

  /// A recorded request, and what takes the place of its `Authorization`.
  struct Draft {
    let entry: Recording.Entry
    var authorization: String?
  }

  struct Attempt {
    let answer: RecordedAnswer
    let comparison: Comparison
    /// The verification that it was about.
    let verification: Verification?
    /// Why it was refused; nil if it was not.
    let why: String?
    /// True if it started a verification or sent a message.
    let hasEffects: Bool

    var isSame: Bool { comparison.differences.isEmpty }
  }

  struct Result {
    var differences: [Difference]
    var lacksBody = false
    /// The places in the body whose values depend on the phone number, and differ.
    var dependent: [String] = []
  }

  private mutating func replay(
    _ entry: Recording.Entry, _ operation: ReplayServer.Operation
  ) throws -> Result {
    guard operation.isEmulated || entry.answer.status >= 400 else {
      let place = "\(operation.method.rawValue) \(operation.path)"
      return Result(differences: [Difference(place: place, kind: .notEmulated)])
    }
    var draft = Draft(entry: entry)
    var attempt = try attempt(draft) { $0.isSame }
    guard !attempt.isSame else { return keep(attempt) }
    if attempt.answer.status == 401, entry.answer.status != 401,
      let own = try ownAuthorization(for: entry, operation)
    {
      draft.authorization = own
      attempt = try self.attempt(draft) { _ in false }
      signedIn.insert(operation.provider.name)
    }
    if let check = try rightCode(for: draft, after: attempt) {
      try server.sandbox.atomically {
        try server.sandbox.verifications.replaceCode(of: check.verification, with: check.code)
      }
    }
    let numbers = numbers(in: entry, operation)
    let dependent = attempt.isSame ? [] : try dependentPlaces(draft, numbers)
    return keep(try self.attempt(draft) { _ in true }, dependent: dependent)
  }

  private mutating func keep(_ attempt: Attempt, dependent: [String] = []) -> Result {
    ids = attempt.comparison.ids
    if let verification = attempt.verification { checks[verification.ordinal] = verification.checks }
    let isDependent = { (difference: Difference) in dependent.contains { difference.isWithin($0) } }
    var differences = attempt.comparison.differences.filter { !isDependent($0) }
    if differences.first?.kind == .status { differences[0].why = attempt.why }
    return Result(
      differences: differences, lacksBody: attempt.comparison.lacksBody,
      dependent: attempt.comparison.differences.filter(isDependent).map(\.generalPlace))
  }

  private struct Undo: Error {}

  /// Sends the request. Afterwards everything is as before it, unless `isKept`.
  private func attempt(
    _ draft: Draft, after prepare: () throws -> Void = {}, keep isKept: (Attempt) -> Bool
  ) throws -> Attempt {
    let sandbox = server.sandbox
    var made: Attempt?
    do {
      try sandbox.atomically {
        try prepare()
        let newestBefore = try newestMessage
        let request = try draft.entry.request(with: ids, authorization: draft.authorization)
        let answer = RecordedAnswer(try server.answer(to: request))
        let verification = try sandbox.currentVerification.flatMap { try sandbox.verifications.find($0) }
        let attempt = Attempt(
          answer: answer,
          comparison: Comparison(draft.entry.answer, answer, ids: ids, now: sandbox.clock.now),
          verification: verification, why: sandbox.journal.last?.why,
          hasEffects: try verification != nil || newestMessage != newestBefore)
        made = attempt
        if !isKept(attempt) { throw Undo() }
      }
    } catch is Undo {}
    guard let made else { preconditionFailure("an attempt was undone without a result") }
    return made
  }

  private var newestMessage: Int {
    get throws {
      try server.sandbox.messages.newest(.init(), onHandsets: false, limit: 1).first?.ordinal ?? 0
    }
  }

  // MARK: Credentials

  /// The sandbox's own credentials, for a recording without valid ones; nil if it has none.
  private func ownAuthorization(
    for entry: Recording.Entry, _ operation: ReplayServer.Operation
  ) throws -> String? {
    guard let testCode = operation.provider.testCode, let number = PhoneNumber("+12025550100"),
      let own = try testCode(number, server.sandbox).headers
        .first(where: { $0.name.lowercased() == "authorization" })
    else { return nil }
    // If the recording has an account of this form, it is the one that signs in: what it names belongs to it.
    guard let basic = BasicAuthentication(["Authorization": own.value]),
      let shape = ValueShape.id(basic.name),
      let account = ([entry] + recording.entries).lazy
        .flatMap({ [$0.url.target, $0.answer.text ?? ""].lazy.flatMap(Token.split) })
        .first(where: { ValueShape.id($0.text) == shape })
    else { return own.value }
    return BasicAuthentication(name: account.text, password: basic.password).field
  }

  // MARK: Codes

  /// The verification whose code was not that of the recording, and that code: the one with which the answer
  /// is nearer to the recorded one. Nil if the request checks none.
  private func rightCode(
    for draft: Draft, after attempt: Attempt
  ) throws -> (verification: Verification, code: String)? {
    guard let verification = attempt.verification, verification.state != .approved,
      verification.checks > checks[verification.ordinal, default: 0]
    else { return nil }
    var best: (distance: Int, code: String)?
    for code in draft.entry.codes.prefix(Self.codeLimit) where code != verification.code {
      let distance = try self.attempt(draft) {
        try server.sandbox.verifications.replaceCode(of: verification, with: code)
      } keep: { _ in
        false
      }.comparison.distance
      if distance < best?.distance ?? attempt.comparison.distance { best = (distance, code) }
    }
    return best.map { (verification, $0.code) }
  }

  /// Of one request.
  private static let codeLimit = 4

  // MARK: Numbers

  /// Other facts about a number. Those of the first group change no message and no verification.
  private static let otherFacts = [
    """
    {"operator":"Another Network","mcc":"999","mnc":"99","originalMcc":"998","originalMnc":"98","ported":true}
    """
  ]
  private static let otherFactsForLookups = [
    #"{"lineType":"fixed_voip"}"#, #"{"lineType":"landline"}"#,
    #"{"simSwaps":["-1h"],"deviceSwaps":["-1h"]}"#,
    #"{"activatedAt":"-2h"}"#, #"{"suspended":true}"#, #"{"roaming":{"on":true}}"#,
    #"{"risk":{"score":990}}"#, #"{"kyc":{"name":"Another Person","givenName":"Another"}}"#,
  ]

  /// Of one request.
  private static let numberLimit = 3

  /// The phone numbers in a request, whose facts only the provider knows.
  private func numbers(in entry: Recording.Entry, _ operation: ReplayServer.Operation) -> [PhoneNumber] {
    let captures = operation.route?.pattern.names.compactMap { operation.parameters.value($0) } ?? []
    var numbers: [PhoneNumber] = []
    for value in entry.values + captures {
      guard let number = PhoneNumber(value) ?? PhoneNumber("+\(value)"), !numbers.contains(number) else {
        continue
      }
      numbers.append(number)
    }
    return Array(numbers.prefix(Self.numberLimit))
  }

  /// The places in the answer that change if the sandbox has other facts about the number.
  private func dependentPlaces(_ draft: Draft, _ numbers: [PhoneNumber]) throws -> [String] {
    guard !numbers.isEmpty else { return [] }
    let base = try attempt(draft) { _ in false }
    guard !base.isSame else { return [] }
    var places: Set<String> = []
    for facts in Self.otherFacts + (base.hasEffects ? [] : Self.otherFactsForLookups) {
      let changed = try attempt(draft) {
        for number in numbers {
          var subscriber = try server.sandbox.subscribers[number]
          try subscriber.merge(Fields(Array(facts.utf8)), at: server.sandbox.clock.now)
          try server.sandbox.subscribers.keep(subscriber)
        }
      } keep: { _ in
        false
      }
      guard changed.answer.status == base.answer.status else { continue }
      let comparison = Comparison(
        base.answer, changed.answer, ids: IdMap(), now: server.sandbox.clock.now)
      places.formUnion(comparison.differences.map(\.place).filter { $0.hasPrefix("$") })
    }
    return places.sorted()
  }
}

extension Recording.Entry {
  /// The values of the request that may be codes.
  var codes: [String] {
    values.filter { 4...10 ~= $0.utf8.count && $0.utf8.allSatisfy { $0.isDecimalDigit } }
  }
}
