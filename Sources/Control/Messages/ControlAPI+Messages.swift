import Domain
import HTTP
import JSON

/// Inboxes, messages and calls. Source: `carrier.md` 4.4.
extension ControlAPI {
  func inbox(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let filter = try inboxFilter(request, sandbox)
    return try wait(timeout(request.query), sandbox) { sandbox in
      let messages = try sandbox.messages.inbox(filter)
      return messages.isEmpty ? nil : try page(messages, filter, sandbox)
    } onTimeout: {
      try page([], filter, $0)
    }
  }

  /// Every message that was submitted to the carrier, on a handset or not.
  func submitted(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    var filter = try inboxFilter(request, sandbox)
    filter.destination = try Parameter.number.value(in: request.query)
    let wanted = filter
    return try wait(timeout(request.query), sandbox) { sandbox in
      let messages = try sandbox.messages.submitted(wanted)
      return messages.isEmpty ? nil : try page(messages, wanted, sandbox)
    } onTimeout: {
      try page([], wanted, $0)
    }
  }

  private func page(_ messages: [Message], _ filter: Messages.Filter, _ sandbox: Sandbox) throws -> Response {
    MessageView.page.response(
      Page(
        entries: try messages.map { try MessageView($0, in: sandbox) },
        cursor: messages.last?.ordinal ?? filter.after))
  }

  func fetchMessage(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    guard let message = try message(id, in: sandbox) else { throw ControlProblem.notFound("message \(id)") }
    return MessageView.schema.response(try MessageView(message, in: sandbox))
  }

  func latestMessage(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let filter = try inboxFilter(request, sandbox)
    return try wait(timeout(request.query), sandbox) { sandbox in
      try sandbox.messages.latest(filter).map {
        MessageView.schema.response(try MessageView($0, in: sandbox))
      }
    } onTimeout: { _ in
      throw ControlProblem.notFound("message for \(filter.destination ?? "anybody") yet")
    }
  }

  func latestCode(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    var filter = try inboxFilter(request, sandbox)
    filter.hasCode = true
    let wanted = filter
    return try wait(timeout(request.query), sandbox) { sandbox in
      try sandbox.messages.latest(wanted)?.code.map { .text(200, $0) }
    } onTimeout: { _ in
      .text(404, "there is no code for \(wanted.destination ?? "anybody") yet\n")
    }
  }

  func clearInbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.messages.clear(destination: inboxOwner(request, sandbox))
    return Response(204)
  }

  private func inboxFilter(_ request: Request, _ sandbox: Sandbox) throws -> Messages.Filter {
    let query = try request.query
    var filter = Messages.Filter()
    filter.destination = try inboxOwner(request, sandbox)
    filter.provider = try Parameter.provider.value(in: query)
    filter.channel = try Parameter.channel.value(in: query)
    filter.after = try after(query)
    return filter
  }

  /// The owner of the inbox in the path; nil for all inboxes. A device without a number is known by its push token.
  private func inboxOwner(_ request: Request, _ sandbox: Sandbox) throws -> String? {
    guard let text = request.parameters.value("number") else { return nil }
    if PhoneNumber(text) != nil || EmailAddress.isValid(text) { return text }
    var messages = Messages.Filter()
    messages.destination = text
    if try !sandbox.devices.all(of: text).isEmpty || sandbox.messages.latest(messages) != nil { return text }
    let meant = PhoneNumber.suggestion(for: text).map { "; did you mean \"\($0)\"?" } ?? ""
    throw FieldError(
      path: "number", expected: "\(PhoneNumber.expected), an email address, or the push token of a device",
      found: "\"\(text)\"\(meant)")
  }

  func reply(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try number(request)
    let text = try request.decodeBody(TextReply.self)
    switch try sandbox.messages.reply(text.text, from: number, to: text.sender, over: text.channel) {
    case .sent(let message):
      return MessageView.schema.response(try MessageView(message, in: sandbox), status: 201)
    case .noSender: throw ControlProblem.notFound("message to \(number) to reply to; name a sender with to")
    case .blocked:
      throw ControlProblem(status: 409, message: "\(number) cannot send texts; check its record")
    }
  }

  func pressKeys(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    let keys = try request.decodeBody(PressedKeys.self).keys
    guard let message = try message(id, in: sandbox) else { throw ControlProblem.notFound("call \(id)") }
    switch try sandbox.calls.press(keys, during: message.ordinal) {
    case .accepted(let message): return MessageView.schema.response(try MessageView(message, in: sandbox))
    case .unknown: throw ControlProblem.notFound("call \(id)")
    case .over(let result):
      throw ControlProblem(status: 409, message: "call \(id) is over: \(result.rawValue)")
    }
  }

  /// The message of an id such as `msg_000031`; `latest` is the newest on any handset.
  func message(_ id: String, in sandbox: Sandbox) throws -> Message? {
    if id == "latest" { return try sandbox.messages.latest(.init()) }
    guard id.hasPrefix("msg_"), let ordinal = Int(id.dropFirst(4)) else { return nil }
    return try sandbox.messages.find(ordinal)
  }
}

struct TextReply: RequestBody {
  var text = ""
  var sender: String?
  var channel: Channel?

  static let schema = Schema<TextReply>(
    "Reply", "A text from a handset.",
    [
      .required("text", \.text, .string(1...1600), "The text."),
      .optional("to", \.sender, .string, "The sender to reply to; by default that of the newest message."),
      .optional(
        "channel", \.channel, .word(of: Channel.allCases.filter(Messages.answerable.contains)),
        "The channel; by default that of the message."),
    ])
}

struct PressedKeys: RequestBody {
  var keys = ""

  static let schema = Schema<PressedKeys>(
    "Keys", "Keys to press.", [.required("keys", \.keys, .keys(1...32), "Digits, * and #, in order.")])
}
