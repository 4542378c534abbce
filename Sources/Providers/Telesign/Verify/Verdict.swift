import Domain
import HTTP
import JSON
import ProviderKit

/// What a submitted code comes to. Source: contract 4.6.
struct Verdict {
  /// `status.code`.
  let code: Int
  private let refusal: Problem?

  /// Holds a code against a verification.
  init(of code: String, for verification: Verification, in sandbox: Sandbox) throws {
    let settings = try Settings.current(in: sandbox)
    switch try sandbox.verifications.check(code, of: verification, by: settings.verificationRules) {
    case .approved: self.init(3900)
    case .wrongCode: self.init(settings.wrongCode == "live" ? 3909 : 3904)
    case .checksExhausted: self.init(settings.lastWrongCode)
    case .nothingPending(.ended(let ended)) where ended.state == .exhausted: self.init(settings.lastWrongCode)
    case .nothingPending(.ended(let ended)) where try ended.hasFailedEarly(in: sandbox):
      self.init(3933, settings.expiredStatus, .ended(ended))
    case .nothingPending(let absence): self.init(absence, settings)
    }
  }

  /// The HTTP status; a code that could not be checked is refused unless a setting says otherwise.
  func status() throws -> Status {
    guard let refusal, refusal.status != 200 else { return 200 }
    throw refusal
  }

  /// Writes the members of `status`.
  func write(to json: inout JSONWriter) {
    json.member("code", code)
    json.member("description", statusText(code))
  }

  private init(_ code: Int) {
    self.code = code
    refusal = nil
  }

  private init(_ absence: MissingReason, _ settings: Settings) {
    switch absence {
    case .neverStarted, .notSent: self.init(3931, 400, absence)
    case .codeExpired: self.init(3935, settings.expiredStatus, absence)
    case .ended(let verification):
      let isOver = verification.state == .pending || verification.state == .expired
      self.init(isOver ? 3908 : 3931, isOver ? settings.expiredStatus : 400, absence)
    }
  }

  private init(_ code: Int, _ status: Int, _ absence: MissingReason) {
    self.code = code
    refusal = Problem(code, Status(status) ?? 400, statusText(code), in: .omnichannel)
      .because(absence.description)
  }
}

extension Verification {
  /// Whether it is over because its last method came to nothing, not because its time did. Source: contract 4.6,
  /// which has a number for it; what brings it about is the sandbox's own.
  fileprivate func hasFailedEarly(in sandbox: Sandbox) throws -> Bool {
    guard state == .expired else { return false }
    let failure = try sandbox.fallbacks.steps(of: self).last?.failure
    return failure != nil && failure != .timedOut
  }
}

extension Settings {
  /// The code of the last wrong submission, and of all that follow it. Source: contract 4.6.
  fileprivate var lastWrongCode: Int { wrongCode == "live" ? 3904 : 3909 }
}
