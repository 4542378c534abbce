import Domain
import HTTP
import JSON
import ProviderKit

// What an app says of a push, and what its user answers. Source: contract 5.2, 5.4.2 and 5.4.3.

var decisionRoutes: [Route<Sandbox>] {
  [
    handsetRoute(
      .post, "/handset/telesign/v1/verifications/{reference_id}/decision", as: "decideOnDevice", decide),
    handsetRoute(
      .post, "/handset/telesign/v1/verifications/{reference_id}/push-status", as: "reportPushStatus",
      reportPushStatus),
  ]
}

/// `POST /handset/telesign/v1/verifications/{reference_id}/decision`
func decide(_ call: HandsetCall) throws -> Response {
  let fields = try call.request.json
  let words = Challenge.Answer.allCases.map(\.rawValue)
  guard let word = try fields.word("decision", words), let answer = Challenge.Answer(rawValue: word) else {
    throw fields.mismatch("decision", expected: "one of \(words.joined(separator: ", "))")
  }
  let device = try call.device(fields.string("device_id"))
  let challenge = try call.waitingChallenge(for: device)
  _ = try call.sandbox.challenges.answer(answer, to: challenge)
  let state = try call.state()
  return call.answer(answer == .approve ? 3900 : 3904) { $0.member("state", state) }
}

/// `POST /handset/telesign/v1/verifications/{reference_id}/push-status`
func reportPushStatus(_ call: HandsetCall) throws -> Response {
  let fields = try call.request.json
  let words = Push.Mark.allCases.map(\.rawValue)
  guard let word = try fields.word("push_status", words), let mark = Push.Mark(rawValue: word) else {
    throw fields.mismatch("push_status", expected: "one of \(words.joined(separator: ", "))")
  }
  guard let challenge = try call.challenge, challenge.push != nil else {
    throw Problem(3931, in: .omnichannel).because("nothing was pushed")
  }
  try call.sandbox.challenges.record(mark, of: challenge)
  return call.answer(mark == .read ? 3005 : 3000)
}

extension HandsetCall {
  /// The question that the verification has put to a device last.
  fileprivate var challenge: Challenge? {
    get throws { try sandbox.challenges.latest(about: reference, provider: TelesignProvider.name) }
  }

  /// The registered device of an id, which must be one of the verification's number.
  fileprivate func device(_ id: String) throws -> Device {
    guard let device = try sandbox.devices.find(id), device.end == nil, device.draft.holder == holder,
      device.draft.provider == TelesignProvider.name
    else {
      throw Problem(3110, 404, statusText(3110), in: .omnichannel)
        .because("device_id: no device of this id is registered for the number")
    }
    return device
  }

  /// The question that the device may answer now; one that no push has brought is scanned on the way.
  fileprivate func waitingChallenge(for device: Device) throws -> Challenge {
    guard let challenge = try challenge else {
      throw Problem(3931, in: .omnichannel).because("no device was asked")
    }
    switch challenge.state(at: sandbox.clock.now) {
    case .approved, .denied: throw Problem(3931, in: .omnichannel).because("it was decided before")
    case .expired: throw Problem(3908, in: .omnichannel).because("the time to decide is over")
    case .pending: break
    }
    guard let asked = try sandbox.challenges.scan(challenge, with: device) else {
      throw Problem(3110, 404, statusText(3110), in: .omnichannel)
        .because("device_id: another device was asked")
    }
    return asked
  }
}
