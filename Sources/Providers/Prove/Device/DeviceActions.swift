import Crypto
import ProviderKit

// What devices do in a session. The callbacks of the provider's client libraries have the same order and
// numbers. Source: contract 5.2 and 6.2.

func authenticateDevice(_ context: inout DeviceContext) throws {
  let (fields, body) = (context.body.fields, context.body)
  var device = SessionDevice()
  if try body.text("platform") != nil {
    device.platform = try body.word("platform", of: SessionDevice.Platform.self)
  }
  if try body.text("role") != nil { _ = try body.word("role", of: Role.self) }
  device.features =
    try FieldType<[SessionDevice.Feature]>.distinctWords().read(fields, "features") ?? [.otp]
  device.isInMobileAuthTestMode = try body.flag("mobileAuthTestMode") ?? false
  device.cellularNumber = try body.text("cellularNumber")
  let key = try presentedKey(of: device, context)
  try context.possession.start(on: device, with: key)
}

/// The present step, nothing else.
func fetchDeviceStep(_ context: inout DeviceContext) throws {}

func attemptMobileAuth(_ context: inout DeviceContext) throws {
  let connection = Possession.DataConnection(
    isCellular: try context.body.flag("cellular") ?? true,
    number: try context.body.text("cellularNumber"))
  guard try context.isLive(at: .mobileAuth) else { return }
  try context.possession.authenticate(over: connection)
}

func startOTP(_ context: inout DeviceContext) throws {
  let number = try context.body.text("phoneNumber")
  if try cancels(&context, at: .otpStart) { return }
  try context.possession.startOTP(number: number)
}

func finishOTP(_ context: inout DeviceContext) throws {
  if try cancels(&context, at: .otpFinish) { return }
  switch try resultType(in: context.body, of: ResultType.allCases) {
  case .entered:
    let code = try context.body.fields.optionalObject("input")?.optionalString("otp")
    guard let code else { throw APIError.missing("input.otp") }
    try context.possession.enter(code)
  case .resend: try context.possession.sendCode()
  case .changeNumber: try context.possession.changeNumber(at: .otpStart, else: .otpFinish)
  }
}

func startInstantLink(_ context: inout DeviceContext) throws {
  let number = try context.body.text("phoneNumber")
  if try cancels(&context, at: .linkStart) { return }
  try context.possession.startLink(number: number, origin: context.request.origin)
}

func retryInstantLink(_ context: inout DeviceContext) throws {
  if try cancels(&context, at: .linkWait) { return }
  switch try resultType(in: context.body, of: [.resend, .changeNumber]) {
  case .changeNumber: try context.possession.changeNumber(at: .linkStart, else: .linkWait)
  case .resend, .entered: try context.possession.sendLink(origin: context.request.origin)
  }
}

func finishInstantLink(_ context: inout DeviceContext) throws {
  let url = try context.body.requiredText("redirectUrl")
  // A repetition is harmless.
  let session = context.possession.session
  guard try session.means == .instantLink || context.isLive(at: .linkWait) else { return }
  try context.possession.finishLink(url)
}

func cancelDevice(_ context: inout DeviceContext) throws {
  guard context.possession.session.step != .finished, context.possession.session.step != .created else {
    throw APIError(.stepNotAllowed).because("the session is at \(context.possession.session.step.rawValue)")
  }
  if context.possession.session.isExpired(at: context.sandbox.clock.now) { return }
  try context.possession.cancel()
}

/// What a device did when it was asked for a code or a click: the numbers of the Web SDK. Source: contract
/// 5.2.
private enum ResultType: Int, CaseIterable {
  case entered = 0
  case resend = 1
  case changeNumber = 2
}

/// A desktop browser is secondary. The session's possession type decides, so the role has no effect.
private enum Role: String, CaseIterable {
  case primary, secondary
}

/// The usable key that the device presents, or that it may recover; nil if it has none. Source: contract 5.8.
private func presentedKey(of device: SessionDevice, _ context: DeviceContext) throws -> ProveKey? {
  let possession = context.possession
  func usable(_ deviceID: String) throws -> ProveKey? {
    let key = try ProveKey.find(deviceID, of: possession.client, in: context.sandbox)
    return key.flatMap { $0.isUsable(at: possession.now, possession.settings) ? $0 : nil }
  }
  let secret = try context.body.text("key") ?? ""
  if let deviceID = try context.body.text("deviceId"), let key = try usable(deviceID),
    constantTimeEqual(key.secret, secret)
  {
    return key
  }
  guard device.features.contains(.deviceContext), possession.client.deviceContext else { return nil }
  return try possession.session.options.deviceID.flatMap { try usable($0) }
}

/// True if the session has ended: expired, or canceled by this request. Throws if it is at another step.
private func cancels(_ context: inout DeviceContext, at step: Session.Step) throws -> Bool {
  guard try context.isLive(at: step) else { return true }
  guard try context.body.flag("cancel") == true else { return false }
  try context.possession.cancel()
  return true
}

private func resultType(in body: Body, of allowed: [ResultType]) throws -> ResultType {
  guard let number = try body.fields.optionalInt("resultType") else { throw APIError.missing("resultType") }
  guard let type = ResultType(rawValue: number), allowed.contains(type) else {
    let numbers = allowed.map { String($0.rawValue) }.joined(separator: ", ")
    throw APIError.malformed("resultType", expected: "one of \(numbers)")
  }
  return type
}
