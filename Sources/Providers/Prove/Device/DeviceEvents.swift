import ProviderKit

/// `GET /handset/prove/v1/{authId}/events`: tells a waiting browser that the link was opened, or that its
/// time is over. Source: contract 6.2.
func watchDeviceSession(
  _ request: Request, in sandbox: Sandbox, _ settings: Settings
) throws -> WebSocket {
  var context = try DeviceContext(request, in: sandbox, settings)
  try context.possession.endWait()
  let session = context.possession.session
  guard session.step == .linkWait || session.step == .finished else {
    throw APIError(.stepNotAllowed).because(
      "the session is at \(session.step.rawValue), and waits for no link")
  }
  return WebSocket(
    key: session.authID, whenReplaced: .init(4409, reason: "another socket replaced this one"),
    state: SentEvents()
  ) { sent in
    try sent.update(authID: session.authID, in: sandbox)
  } receive: { message, _ in
    let action = try? Fields(message).optionalString("action")
    return action == "ping" ? [#"{"event":"pong"}"#] : []
  }
}

/// What one socket has sent.
private struct SentEvents {
  /// When the link was sent that the browser was told to wait for.
  private var waitingSince: Timestamp?
  private var sentClick = false

  mutating func update(authID: String, in sandbox: Sandbox) throws -> WebSocket.Output {
    guard let session = try Session.find(authID: authID, in: sandbox),
      !session.isExpired(at: sandbox.clock.now)
    else { return Self.timeout }
    let settings = try Settings.current(in: sandbox)
    var possession = try Possession(session, settings, in: sandbox)
    try possession.endWait()
    return possession.session.hasTimedOut ? Self.timeout : news(of: possession.session, settings, in: sandbox)
  }

  private mutating func news(of session: Session, _ settings: Settings, in sandbox: Sandbox)
    -> WebSocket.Output
  {
    var output: WebSocket.Output = []
    if session.step == .linkWait, let end = session.waitEnd(settings) {
      let left = end - sandbox.clock.now
      output.updateAfter = left
      if waitingSince != session.sentAt {
        waitingSince = session.sentAt
        output.messages.append(Self.event("waiting") { $0.member("secondsLeft", left.wholeSeconds) })
      }
    }
    if session.linkClickedAt != nil, !sentClick {
      sentClick = true
      output.messages.append(Self.event("link_clicked") { $0.member("asc", "true") })
    }
    if session.step == .finished {
      output.messages.append(Self.event("auth_finish"))
      output.close = .normal
    }
    return output
  }

  private static let timeout = WebSocket.Output([event("timeout")], close: .init(4408, reason: "timeout"))

  private static func event(_ name: String, _ write: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
    JSONWriter.object { json in
      json.member("event", name)
      write(&json)
    }
  }
}
