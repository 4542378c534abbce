import ProviderKit

extension Possession {
  /// The step object. Source: contract 6.2.
  var stepResponse: Response {
    get throws {
      let isExpired = session.isExpired(at: now)
      let key =
        session.possession == .desktop
        ? nil : try session.deviceID.flatMap { try ProveKey.find($0, of: client, in: sandbox) }
      let error = isExpired ? StepError(.expired, "the session has expired") : error ?? timeout
      var response = Response.json(200) { json in
        json.member("authId", session.authID)
        json.member("step", (isExpired ? .finished : session.step).rawValue)
        json.member("phoneNumberNeeded", session.needsNumber)
        if let key {
          json.object("device") { json in
            json.member("deviceId", key.deviceID)
            json.member("key", key.secret)
            json.member("bound", key.number != nil)
          }
        }
        json.member("sendsLeft", max(0, settings.maxSends - session.sends))
        json.member("attemptsLeft", attemptsLeft)
        json.member("expiresAt", deadline.iso8601)
        if let error {
          json.object("error") { json in
            json.member("type", error.kind.rawValue)
            json.member("message", error.message)
          }
        }
      }
      response.why = error.map { (session.why ?? $0.message).advising(change(after: $0)) }
      return response
    }
  }

  private func change(after error: StepError) -> String? {
    switch error.kind {
    case .otpValidation where attemptsLeft > 0:
      "Enter the code of the newest text, or have a new one sent. Entries that are left: \(attemptsLeft)."
    case .otpValidation, .resendLimit, .expired: "Start a new session: this one has ended."
    case .phoneNumberValidation: "Name another number."
    case .notEnabled: nil
    }
  }

  private var timeout: StepError? {
    session.hasTimedOut ? StepError(.expired, "the link was not opened in time") : nil
  }

  /// The end of the present step.
  private var deadline: Timestamp {
    let end: Timestamp? =
      switch session.step {
      case .otpFinish: session.sentAt.map { $0 + .seconds(settings.otpSeconds) }
      case .linkWait: session.waitEnd(settings)
      case .created, .mobileAuth, .otpStart, .linkStart, .finished: nil
      }
    return min(end ?? session.expiresAt, session.expiresAt)
  }
}
