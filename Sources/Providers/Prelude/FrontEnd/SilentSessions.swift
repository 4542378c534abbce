import Domain
import HTTP
import JSON
import ProviderKit

/// What a silent session stores about its verification, as the JSON object `SilentSession.Draft.details`.
struct SilentSessionDetails {
  let codeSize: Int
  /// True if the last hop should respond with a page that no SDK understands.
  let isGarbled: Bool

  init(codeSize: Int, isGarbled: Bool) {
    self.codeSize = codeSize
    self.isGarbled = isGarbled
  }

  init(_ details: String) throws {
    let fields = try Fields(Array(details.utf8))
    self.init(codeSize: try fields.int("codeSize"), isGarbled: try fields.bool("garbled"))
  }

  var encoded: String {
    let bytes = JSONWriter.object { json in
      json.member("codeSize", codeSize)
      json.member("garbled", isGarbled)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension VerificationCreation {
  /// Source: contract 4.3.
  func isDispatchExpired() throws -> Bool {
    try dispatch()?.isExpired(context.settings, at: context.sandbox.clock.now) ?? false
  }

  /// True if this attempt can be silent. A verification has at most one silent attempt. Source: contract 14.1.
  func isSilentEligible() throws -> Bool {
    guard target.number != nil, scenario.supportsSilent,
      pending?.attempts.all.contains(where: { $0.channel == .silent }) != true
    else { return false }
    guard context.settings.silentNeedsDispatch else { return true }
    guard let dispatch = try dispatch(),
      !dispatch.isExpired(context.settings, at: context.sandbox.clock.now)
    else { return false }
    return dispatch.supportsSilent
      && (!context.settings.silentNeedsCellular || dispatch.isCellular(context.settings))
  }

  /// Creates the session of a silent attempt. The app gives the URL to the SDK.
  func createSilentURL(for verification: Verification) throws -> String {
    guard let number = target.number else { preconditionFailure("only numbers are verified silently") }
    let base = context.sandbox.baseURL(requestOrigin: context.request.origin)
    var draft = SilentSession.Draft(
      provider: PreludeProvider.name, number: number, verification: verification.ordinal,
      lifetime: .seconds(context.settings.silentSeconds), singleUse: false,
      returnURL: "\(base)/silent/v1/{token}/complete", outcome: silentOutcome(for: number))
    draft.attempt = verification.attempts.all.count
    draft.details =
      SilentSessionDetails(
        codeSize: stored.codeSize, isGarbled: scenario == .silentGarbage
      ).encoded
    return "\(base)/silent/v1/\(try context.sandbox.silentSessions.create(draft).token)"
  }

  /// The outcome if a header or a seed's rule chooses the scenario. For scenarios of the last digits the carrier
  /// decides.
  private func silentOutcome(for number: PhoneNumber) -> SilentOutcome? {
    if scenario == .silentGarbage { return .match }
    guard TestScenario(lastDigitsOf: number) != scenario else { return nil }
    return scenario == .silent ? .match : scenario.silentOutcome
  }

  private func dispatch() throws -> SignalsDispatch? {
    try input.signals.dispatch(in: context.sandbox)
  }
}
