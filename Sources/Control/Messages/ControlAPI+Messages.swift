/// Inboxes, messages and calls. Source: `carrier.md` 4.4.
extension ControlAPI {
  func inbox(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    try list(inboxFilter(request, sandbox), onHandsets: true, request, sandbox)
  }

  /// Every message that was submitted to the carrier, on a handset or not.
  func submitted(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    var filter = try inboxFilter(request, sandbox)
    filter.destination = try destination(request.query, sandbox)
    return try list(filter, onHandsets: false, request, sandbox)
  }

  private func list(
    _ filter: Messages.Filter, onHandsets: Bool, _ request: Request, _ sandbox: Sandbox
  ) throws -> Reply {
    let candidate = { (message: Message, sandbox: Sandbox) in
      (onHandsets ? message.place : message.ordinal, Optional(try MessageView(message, in: sandbox)))
    }
    return try waitingList(MessageView.page, request, sandbox) { sandbox, after, limit in
      try SearchWindow(of: sandbox).after(after, limit: limit) { after, before in
        try sandbox.messages.page(filter.between(after, before), onHandsets: onHandsets, limit: limit)
          .map { try candidate($0, sandbox) }
      }
    } newestFirst: { before, limit in
      try SearchWindow(of: sandbox).before(before, limit: limit) { after, before in
        try sandbox.messages.newest(filter.between(after, before), onHandsets: onHandsets, limit: limit)
          .map { try candidate($0, sandbox) }
      }
    }
  }

  func fetchMessage(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    guard let message = try message(id, in: sandbox) else { throw ControlProblem.notFound("message \(id)") }
    return MessageView.schema.response(try MessageView(message, in: sandbox))
  }

  func latestMessage(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let filter = try latestFilter(request, sandbox)
    return try wait(timeout(request.query), sandbox) { sandbox in
      try sandbox.messages.latest(filter).map {
        .now(MessageView.schema.response(try MessageView($0, in: sandbox)))
      }
    } onTimeout: { sandbox in
      throw try missing("message", filter, sandbox)
    }
  }

  func latestCode(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let search = try codeSearch(request, sandbox)
    return try wait(timeout(request.query), sandbox) { sandbox in
      try search.find(in: sandbox)?.plain.map { .now($0) }
    } onTimeout: { sandbox in
      let problem = try missing("code", search.filter, sandbox, by: search.pattern)
      var response = Response.text(404, "\(problem.message)\n")
      response.why = problem.why
      return response
    }
  }

  /// The same, with the text that it was found in, and why it was chosen.
  func explainedCode(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let search = try codeSearch(request, sandbox)
    return try wait(timeout(request.query), sandbox) { sandbox in
      try search.find(in: sandbox).map { .now(FoundCode.schema.response($0)) }
    } onTimeout: { sandbox in
      guard let newest = try sandbox.messages.latest(search.filter) else {
        throw try missing("code", search.filter, sandbox, by: search.pattern)
      }
      return FoundCode.schema.response(try search.none(in: newest, of: sandbox))
    }
  }

  private func codeSearch(_ request: Request, _ sandbox: Sandbox) throws -> CodeSearch {
    let pattern = try Parameter.pattern.value(in: request.query).map(CodePattern.init)
    return CodeSearch(filter: try latestFilter(request, sandbox), pattern: pattern)
  }

  /// `there is no code for +12025550130 yet: the text is lost, because …`
  private func missing(
    _ what: String, _ filter: Messages.Filter, _ sandbox: Sandbox, by pattern: CodePattern? = nil
  ) throws -> ControlProblem {
    let found = try sandbox.messages.problemOfNewest(filter)
    // What is left is a message in which nobody has found a code.
    let other = try found == nil ? sandbox.messages.latest(filter) : nil
    let why =
      try found.map { ": \($0.text)" }
      ?? other.map { ": \(try FoundCode(noneIn: $0, by: pattern, in: sandbox).why)" } ?? ""
    var problem = ControlProblem.notFound("\(what) for \(filter.destination ?? "anybody") yet\(why)")
    problem.isOnPurpose = found?.isOnPurpose ?? false
    return problem
  }

  func clearInbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.messages.clear(destination: inboxOwner(request, sandbox))
    return Response(204)
  }

  private func latestFilter(_ request: Request, _ sandbox: Sandbox) throws -> Messages.Filter {
    var filter = try inboxFilter(request, sandbox)
    guard let text = try Parameter.afterMessage.value(in: request.query) else { return filter }
    if let cursor = Int(text), cursor >= 0 {
      filter.after = cursor
    } else if let message = try message(text, in: sandbox) {
      filter.after = message.place
    } else {
      throw FormError(
        field: Parameter.afterMessage.name, expected: "the id of a message such as msg_000031, or a cursor",
        found: text)
    }
    return filter
  }

  private func inboxFilter(_ request: Request, _ sandbox: Sandbox) throws -> Messages.Filter {
    let query = try request.query
    var filter = Messages.Filter()
    filter.destination = try inboxOwner(request, sandbox)
    filter.provider = try provider(query)
    filter.channel = try Parameter.channel.value(in: query)
    filter.holder = try Parameter.holder.value(in: query) ?? .present
    return filter
  }

  /// The owner of the inbox in the path; nil for all inboxes. A device without a number is known by its push
  /// token.
  private func inboxOwner(_ request: Request, _ sandbox: Sandbox) throws -> String? {
    try request.parameters.value("number").map { try destination($0, sandbox) }
  }

  func destination(_ query: Form, _ sandbox: Sandbox) throws -> String? {
    try Parameter.number.value(in: query).map { try destination($0, sandbox) }
  }

  private func destination(_ text: String, _ sandbox: Sandbox) throws -> String {
    if PhoneNumber(text) != nil || EmailAddress.isValid(text) { return text }
    var messages = Messages.Filter()
    messages.destination = text
    if try !sandbox.devices.all(of: text).isEmpty || sandbox.messages.latest(messages) != nil { return text }
    let meant =
      PhoneNumber.suggestion(for: text, in: PhoneNumber.seededCountry)
      .map { "; did you mean \"\($0)\"?" } ?? ""
    throw FieldError(
      path: "number", expected: "\(PhoneNumber.expected), an email address, or the push token of a device",
      found: "\"\(text)\"\(meant)")
  }

  func reply(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try number(request)
    let text = try request.decodeBody(TextReply.self)
    if let receiver = text.sender { try requireReceiver(receiver, of: text.text, sandbox) }
    switch try sandbox.messages.reply(text.text, from: number, to: text.sender, over: text.channel) {
    case .sent(let message):
      return MessageView.schema.response(try MessageView(message, in: sandbox), status: 201)
    case .noSender: throw ControlProblem.notFound("message to \(number) to reply to; name a sender with to")
    case .blocked:
      throw ControlProblem(409, "\(number) cannot send texts; check its record")
    }
  }

  /// Fails if nothing ever receives a text to this number or name.
  private func requireReceiver(_ name: String, of text: String, _ sandbox: Sandbox) throws {
    guard try !sandbox.messages.canBeReceived(text, by: name) else { return }
    let meant =
      try sandbox.messages.senders(amongNewest: 1000).nearest(to: name)
      .map { "; did you mean \"\($0)\"?" } ?? ""
    throw FieldError(
      path: "$.to",
      expected: "a sender whose messages this sandbox has, or a number at which a provider receives texts",
      found: "\"\(name)\"\(meant)")
  }

  func pressKeys(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    let keys = try request.decodeBody(PressedKeys.self).keys
    guard let message = try message(id, in: sandbox) else { throw ControlProblem.notFound("call \(id)") }
    switch try sandbox.calls.press(keys, during: message.ordinal) {
    case .accepted(let message): return MessageView.schema.response(try MessageView(message, in: sandbox))
    case .unknown: throw ControlProblem.notFound("call \(id)")
    case .over(let result):
      throw ControlProblem(409, "call \(id) is over: \(result.rawValue)")
    case .notAsked: throw ControlProblem(409, "call \(id) does not wait for keys now")
    }
  }

  /// The message of an id such as `msg_000031`; `latest` is the newest on any handset.
  func message(_ id: String, in sandbox: Sandbox) throws -> Message? {
    if id == "latest" { return try sandbox.messages.latest(.init()) }
    guard id.hasPrefix("msg_"), let ordinal = Int(id.dropFirst(4)) else { return nil }
    return try sandbox.messages.find(ordinal)
  }
}

extension Messages.Filter {
  /// The same, only for messages in a part of the order.
  func between(_ after: Int, _ before: Int) -> Messages.Filter {
    var filter = self
    (filter.after, filter.before) = (after, before)
    return filter
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
      .optional("to", \.sender, .string, "The sender to write to; by default that of the newest message."),
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
