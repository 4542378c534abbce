import Domain
import HTTP
import JSON

/// Messages and calls as the control API shows them, and what people do with them. Source: `carrier.md` 4.4.
extension ControlAPI {
  func reply(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try number(request)
    let fields = try request.json
    let text = try fields.string("text")
    let sender = try fields.optionalString("to")
    let channel = try fields.optionalString("channel").map { word throws(FieldError) in
      guard let channel = Channel(rawValue: word), Messages.answerable.contains(channel) else {
        let words = Channel.allCases.filter(Messages.answerable.contains).map(\.rawValue)
        throw fields.mismatch("channel", expected: "one of \(words.joined(separator: ", "))")
      }
      return channel
    }
    try fields.requireAllRead()
    guard (1...1600).contains(text.utf8.count) else {
      throw fields.mismatch("text", expected: "1 to 1600 bytes")
    }
    switch try sandbox.messages.reply(text, from: number, to: sender, over: channel) {
    case .sent(let message): return try body(of: message, in: sandbox, status: 201)
    case .nobody:
      throw ControlProblem.notFound("message to \(number) that could be answered; say to whom with to")
    case .silenced:
      throw ControlProblem(status: 409, message: "\(number) sends no texts: see its record")
    }
  }

  func pressKeys(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    let fields = try request.json
    let keys = try fields.string("keys")
    try fields.requireAllRead()
    guard Keys.isValid(keys), !keys.isEmpty else {
      throw fields.mismatch("keys", expected: "1 to 32 of 0 to 9, * and #")
    }
    guard let message = try message(id, in: sandbox) else { throw ControlProblem.notFound("call \(id)") }
    switch try sandbox.calls.press(keys, during: message.ordinal) {
    case .accepted(let message): return try body(of: message, in: sandbox)
    case .unknown: throw ControlProblem.notFound("call \(id)")
    case .over(let result):
      throw ControlProblem(status: 409, message: "nobody is on the line of \(id): \(result.rawValue)")
    }
  }

  /// The message of an id such as `msg_000031`; `latest` is the newest on any handset.
  func message(_ id: String, in sandbox: Sandbox) throws -> Message? {
    if id == "latest" { return try sandbox.messages.latest(.init()) }
    guard id.hasPrefix("msg_"), let ordinal = Int(id.dropFirst(4)) else { return nil }
    return try sandbox.messages.find(ordinal)
  }

  func body(of message: Message, in sandbox: Sandbox, status: Status = 200) throws -> Response {
    let entry = try entry(message, in: sandbox)
    return .json(status, JSONWriter.object { write(entry, sandbox, to: &$0) })
  }

  func list(_ messages: [Message], _ filter: Messages.Filter, _ sandbox: Sandbox) throws -> Response {
    let entries = try messages.map { try entry($0, in: sandbox) }
    return .json(
      200,
      JSONWriter.object { json in
        json.array("messages", entries) { json, entry in
          json.value { write(entry, sandbox, to: &$0) }
        }
        json.member("cursor", messages.last?.ordinal ?? filter.after)
      })
  }

  /// A message with what it is besides.
  private struct Entry {
    let message: Message
    let call: Call?
    let push: SentPush?
  }

  private func entry(_ message: Message, in sandbox: Sandbox) throws -> Entry {
    Entry(
      message: message, call: message.channel == .call ? try sandbox.calls.find(message.ordinal) : nil,
      push: try sentPush(of: message, in: sandbox))
  }

  private func write(_ entry: Entry, _ sandbox: Sandbox, to json: inout JSONWriter) {
    let (message, now) = (entry.message, sandbox.clock.now)
    let encoding = TextEncoding(of: message.text)
    json.member("id", message.id)
    json.member("channel", message.channel.rawValue)
    json.member("to", message.destination)
    json.member("from", message.sender)
    json.member("provider", message.provider)
    json.member("verificationId", message.reference)
    json.member("text", message.text)
    json.member("code", message.code)
    json.member("encoding", encoding.name)
    json.member("segments", encoding.segments)
    json.member("submittedAt", message.submittedAt.iso8601Milliseconds)
    json.member("state", message.state(at: now).rawValue)
    json.array("receipts", message.receipts(by: now)) { json, receipt in
      json.value {
        $0.member("state", receipt.state.rawValue)
        $0.member("atMs", receipt.after.milliseconds)
        if receipt.error != 0 { $0.member("err", receipt.error) }
      }
    }
    if let call = entry.call { json.object("call") { write(call, by: now - message.submittedAt, to: &$0) } }
    if let push = entry.push { json.object("push") { write(push, sandbox, to: &$0) } }
  }

  private func write(_ call: Call, by elapsed: Duration, to json: inout JSONWriter) {
    json.member("result", call.result.rawValue)
    json.member("language", call.speech.language)
    json.member("repeats", call.speech.repeats)
    json.member("key", call.key.rawValue)
    json.member("keys", call.keys)
    json.array("transcript", call.transcript(by: elapsed)) { json, line in
      json.value {
        $0.member("atMs", line.after.milliseconds)
        $0.member("who", line.speaker.rawValue)
        $0.member("text", line.text)
      }
    }
  }
}
