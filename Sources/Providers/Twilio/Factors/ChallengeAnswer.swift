import ProviderKit

// Answers to challenges. Source: contract 9.3, 10 and 11.8.

extension FactorChallenge {
  /// Wrong codes after which no code is accepted. Source: contract 9.3.
  private static let failureLimit = 5
  /// Source: contract 9.3.
  private static let maxPayload = 5456

  /// 60322 for a challenge that was answered, 60323 for one that has expired.
  func requirePending(at now: Timestamp) throws(APIError) {
    switch status(at: now) {
    case .pending: return
    case .approved, .denied: throw APIError(code: 60322).because("it is \(status(at: now).rawValue)")
    case .expired: throw APIError(code: 60323).because("it expired at \(expiresAt.iso8601)")
    }
  }

  /// Answers a pending challenge, and saves it. A wrong code changes its count of failures only; a token that
  /// is not signed as it should be changes nothing.
  mutating func respond(with payload: String, metadata: JSON? = nil, in sandbox: Sandbox) throws {
    let now = sandbox.clock.now
    try requirePending(at: now)
    guard var factor = try Factor.find(self.factor, in: sandbox) else {
      throw APIError.notFound("/v2/Services/\(service)/Entities/\(identity)/Factors/\(self.factor)")
        .because("the factor of \(sid) was deleted")
    }
    switch kind {
    case .totp:
      try TOTPConfig.requireCode(payload)
      try check(payload, of: &factor, at: now)
      try factor.save(in: sandbox)
    case .push:
      answer = try SignedAnswer(payload, to: self, of: factor, in: sandbox).answer
      respondedAt = now
      updatedAt = now
    case .passkeys: throw APIError(code: 60324).because("passkeys answer at /Passkeys/ApproveChallenge")
    }
    if answer != nil { self.metadata = metadata ?? self.metadata }
    try save(in: sandbox)
    try FactorEvent.announceAnswer(to: self, of: factor, in: sandbox)
    if let answer, kind == .push { try closeOnDevice(as: answer, in: sandbox) }
  }

  /// Approves the challenge if a code is right, else counts a failure; fails with 60308 after too many. Does
  /// not save.
  mutating func check(_ code: String, of factor: inout Factor, at now: Timestamp) throws(APIError) {
    guard failures < Self.failureLimit else {
      throw APIError(code: 60308).because("\(Self.failureLimit) codes were wrong")
    }
    if let counter = factor.totp?.counter(of: code, at: now) {
      factor.totp?.use(counter, at: now)
      answer = .approved
      respondedAt = now
    } else {
      failures += 1
    }
    updatedAt = now
  }

  /// A valid answer of a device: the members of the challenge that it has read, signed, with its answer as
  /// `status`.
  fileprivate struct SignedAnswer {
    let answer: Answer

    /// Fails with 60306 for a text that is not a token, else with 60324.
    init(_ payload: String, to challenge: FactorChallenge, of factor: Factor, in sandbox: Sandbox) throws {
      guard payload.utf8.count <= maxPayload, let token = JSONWebToken(payload, by: [.es256])
      else {
        throw APIError(code: 60306).because(
          "AuthPayload: expected a JWT with the algorithm ES256, at most \(maxPayload) characters")
      }
      func refused(_ why: String) -> APIError { APIError(code: 60324).because("AuthPayload: \(why)") }
      guard let key = factor.push?.publicKey, token.isSigned(by: PublicKey(base64: key)) else {
        throw refused("expected a signature by the key of \(factor.sid)")
      }
      guard let payload = try? JSON(parsing: token.payload), case .object(let claims) = payload else {
        throw refused("expected a JSON object")
      }
      guard case .string(let word)? = payload["status"], let answer = Answer(rawValue: word) else {
        throw refused("status: expected approved or denied")
      }
      let members = try challenge.signableMembers(account: factor.account, at: sandbox.clock.now)
      for claim in claims where claim.name != "status" {
        guard let value = members[claim.name], value.isSame(as: claim.value) else {
          throw refused("\(claim.name): expected the value of \(challenge.sid)")
        }
      }
      let names = claims.map(\.name)
      for name in try Self.names(in: sandbox) + ["sid", "factor_sid"] where !names.contains(name) {
        throw refused("\(name): not signed")
      }
      self.answer = answer
    }

    /// The members that devices sign.
    static func names(in sandbox: Sandbox) throws -> [String] {
      try Settings.shared(in: sandbox).value.signatureFields.split(separator: ",").map { String($0) }
    }
  }
}

extension JSON {
  /// Equality for which the order of members does not count: clients write objects in any order.
  fileprivate func isSame(as other: JSON) -> Bool {
    switch (self, other) {
    case (.object(let one), .object(let two)):
      one.count == two.count
        && one.allSatisfy { member in other[member.name]?.isSame(as: member.value) ?? false }
    case (.array(let one), .array(let two)):
      one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
    default: self == other
    }
  }
}
