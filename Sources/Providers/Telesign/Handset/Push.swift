import ProviderKit

// Push verification: a challenge is sent to the registered device, and its user approves or denies it.
// Source: contract 5.2, 5.4.2, 5.4.3 and 5.5.

func decideOnDevice(_ context: HandsetContext) throws -> Response {
  let fields = try RequestBody.json(context.request)
  guard let answer = try fields.optionalWord("decision", of: Challenge.Answer.self) else {
    throw fields.mismatch("decision", expected: "one of \(Challenge.Answer.allCases.map(\.rawValue))")
  }
  let device = try registeredDevice(fields.string("device_id"), context)
  let challenge = try pendingChallenge(for: device, context)
  _ = try context.sandbox.challenges.answer(answer, to: challenge)
  let state = try context.currentState()
  return context.respond(answer == .approve ? 3900 : 3904) { $0.member("state", state) }
}

func reportPushStatus(_ context: HandsetContext) throws -> Response {
  let fields = try RequestBody.json(context.request)
  guard let mark = try fields.optionalWord("push_status", of: Push.Mark.self) else {
    throw fields.mismatch("push_status", expected: "one of \(Push.Mark.allCases.map(\.rawValue))")
  }
  guard let challenge = try latestChallenge(context), challenge.push != nil else {
    throw APIError(3931, in: .omnichannel).because("no push was sent")
  }
  try context.sandbox.challenges.record(mark, of: challenge)
  return context.respond(mark == .read ? 3005 : 3000)
}

private func latestChallenge(_ context: HandsetContext) throws -> Challenge? {
  try context.sandbox.challenges.latest(about: context.reference, provider: TelesignProvider.name)
}

/// A registered device of the verification's number.
private func registeredDevice(_ id: String, _ context: HandsetContext) throws -> Device {
  guard let device = try context.sandbox.devices.find(id), device.end == nil,
    device.draft.holder == context.holder, device.draft.provider == TelesignProvider.name
  else {
    throw APIError(3110, 404, StatusTexts[3110], in: .omnichannel)
      .because("device_id: the number has no registered device with this id")
  }
  return device
}

/// The challenge that the device may answer now. If it was not pushed, the device scans it with its answer.
private func pendingChallenge(for device: Device, _ context: HandsetContext) throws -> Challenge {
  guard let challenge = try latestChallenge(context) else {
    throw APIError(3931, in: .omnichannel).because("no device was asked")
  }
  switch challenge.state(at: context.sandbox.clock.now) {
  case .approved, .denied: throw APIError(3931, in: .omnichannel).because("it was answered before")
  case .expired: throw APIError(3908, in: .omnichannel).because("the challenge has expired")
  case .pending: break
  }
  guard let scanned = try context.sandbox.challenges.scan(challenge, with: device) else {
    throw APIError(3110, 404, StatusTexts[3110], in: .omnichannel)
      .because("device_id: the challenge was sent to another device")
  }
  return scanned
}
