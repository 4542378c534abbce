import ProviderKit

/// Mobile Auth: the mobile network tells the number of the device's SIM. Source: contract 5.3.
///
/// The sandbox's mobile network decides, as for silent verification by other providers: run-time scenarios,
/// then the subscriber's record, then the test user's script.
extension Possession {
  /// The connection that a device reports. Source: contract 6.2.
  struct DataConnection: Equatable {
    var isCellular: Bool
    /// The number of the SIM, if the device names one.
    var number: String?
  }

  var mobileAuthIsOffered: Bool {
    get throws {
      guard session.device.features.contains(.mobileAuth), session.options.mobileAuth ?? client.mobileAuth
      else {
        return false
      }
      // Without a number, only the network can tell who it is.
      return try number == nil || script.mobileAuth != .notOffered
    }
  }

  mutating func authenticate(over connection: DataConnection) throws {
    guard let sim = simNumber(connection) else { return try continueWithoutMobileAuth() }
    let verdict = try verdict(for: sim, over: connection)
    guard verdict == .matched else { return try continueWithoutMobileAuth() }
    session.number = session.number ?? sim.text
    try pass(by: .mobileAuth)
  }

  /// Nil if the SIM is unknown, or no test user's.
  private func simNumber(_ connection: DataConnection) -> MobileNumber? {
    let isTest = session.device.isInMobileAuthTestMode
    let text = connection.number ?? session.device.cellularNumber ?? (isTest ? session.number : nil)
    guard let sim = text.flatMap({ MobileNumber($0) }), (try? users.user(of: sim)) != nil else { return nil }
    return sim
  }

  /// What the network finds. The session keeps the attempt as a silent one of its verification.
  private mutating func verdict(for sim: MobileNumber, over connection: DataConnection) throws
    -> SilentVerdict
  {
    let claimed = number ?? sim
    let verification = try startVerification(of: claimed.number, over: .silent, code: nil) { _ in nil }
    var draft = SilentSession.Draft(
      provider: ProveProvider.name, number: claimed.number, verification: verification.ordinal,
      lifetime: session.expiresAt - now, singleUse: true, returnURL: "")
    draft.attempt = verification.attempts.count
    draft.outcome = try outcome(for: claimed)
    var attempt = try sandbox.silentSessions.create(draft)
    let isCellular = connection.isCellular || session.device.isInMobileAuthTestMode
    let found = try sandbox.silentSessions.identify(
      &attempt, handset: sim.number, bearer: isCellular ? .cellular : .wifi)
    let grant: String? = if case .granted(let grant) = found { grant } else { nil }
    return try sandbox.silentSessions.finish(&attempt, grant: grant)
  }

  /// A subscriber with a record of their own wins over the script.
  private func outcome(for number: MobileNumber) throws -> SilentOutcome {
    let isRecorded = try sandbox.subscribers.recorded(number.number) != nil
    let ending = try isRecorded ? nil : users.user(of: number).possession.mobileAuth.scenario
    return try sandbox.scenarios.silentOutcome(
      for: number.number, provider: ProveProvider.name, ending: ending)
  }
}

extension PossessionScript.MobileAuth {
  fileprivate var scenario: Scenario? {
    let outcome: SilentOutcome = self == .passes ? .match : .carrierError
    return Scenario(requested: outcome.rawValue)
  }
}
