import ProviderKit

/// What an app answers to an inbound message: texts to send, or another document to fetch.
/// Source: `senders.md` 4
struct InboundAnswer {
  private let inbound: InboundMessage
  private let webhook: Webhook
  private let answer: WebhookAnswer?
  private let sandbox: Sandbox

  /// Does what the answer to a webhook says.
  static func apply(_ answer: WebhookAnswer?, to webhook: Webhook, in sandbox: Sandbox) throws {
    guard let kind = InboundMessage.Kind(rawValue: webhook.draft.kind),
      webhook.state != .dropped, webhook.state != .lost,
      let message = try StoredMessage.inbound(webhook.draft.subject, in: sandbox),
      let inbound = try InboundMessage(message, in: sandbox)
    else { return }
    let this = InboundAnswer(inbound: inbound, webhook: webhook, answer: answer, sandbox: sandbox)
    do {
      try this.apply(as: kind)
    } catch let error as TwiMLError {
      this.note(error)
      if kind == .first { try inbound.callFallback(error, of: webhook.draft.url) }
    }
  }

  private func apply(as kind: InboundMessage.Kind) throws {
    guard let answer else {
      let error = try sandbox.webhooks.attempts(of: webhook.ordinal).last?.result.error
      throw TwiMLError(.noAnswer, error ?? webhook.why ?? "no answer")
    }
    switch answer.status {
    case 200..<300: break
    case 301, 302, 303, 307, 308:
      let keepsMethod = answer.status >= 307 && webhook.request?.method != .get
      return try call(answer.values("Location").first ?? "", keepsMethod ? .post : .get, as: kind)
    default: throw TwiMLError(.noAnswer, "the app answered \(answer.status)")
    }
    guard !answer.body.isEmpty, answer.status != 204 else { return }
    switch answer.mediaType {
    case "text/plain":
      let text = String(decoding: answer.body, as: UTF8.self).trimmed
      if !text.isEmpty { try send([("Body", text)]) }
    case "text/xml", "application/xml", "text/html": try run(TwiML(answer.body).verbs, as: kind)
    case let type: throw TwiMLError(.wrongType, "expected the content type text/xml; found \(type.quoted)")
    }
  }

  private func run(_ verbs: [XMLElement], as kind: InboundMessage.Kind) throws {
    for (number, verb) in verbs.enumerated() {
      guard number < Self.maxVerbs else {
        return note(TwiMLError(.unknownVerb, "expected at most \(Self.maxVerbs) verbs"))
      }
      switch verb.name {
      case "Message", "Sms": try send(verb)
      case "Redirect":
        return try call(verb.text.trimmed, verb["method"]?.uppercased() == "GET" ? .get : .post, as: kind)
      case let name: note(TwiMLError(.unknownVerb, "expected Message or Redirect; found \(name)"))
      }
    }
  }

  /// The sandbox's decision: an answer is worked on at once.
  private static let maxVerbs = 300

  private func send(_ verb: XMLElement) throws {
    func texts(_ name: String) -> [String] {
      verb.elements.filter { $0.name == name }.map(\.text.trimmed).filter { !$0.isEmpty }
    }
    let body = texts("Body")
    var fields = [("Body", body.isEmpty ? verb.text.trimmed : body.joined())]
    fields += texts("Media").map { ("MediaUrl", resolved($0)) }
    for (attribute, name) in [("to", "To"), ("from", "From")] {
      if let value = verb[attribute], !value.isEmpty { fields.append((name, value)) }
    }
    if let action = verb["action"], !action.isEmpty {
      fields.append(("StatusCallback", resolved(action)))
      if verb["method"]?.uppercased() == "GET" { note("not emulated: GET for an action; it gets POST") }
    }
    try send(fields)
  }

  /// Sends a text by the rules of the API, by default back to the person.
  private func send(_ fields: [(name: String, value: String)]) throws {
    let names = Set(fields.map(\.name))
    let usual = [("To", inbound.message.from ?? ""), ("From", inbound.message.to)]
    let pairs = fields + usual.filter { !names.contains($0.0) }
    let bytes = pairs.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&").utf8
    do {
      let account = inbound.message.account
      let form = try MessageForm(Form(parsing: Array(bytes)), in: sandbox)
      let rules = MessageRules(
        for: form, of: Caller(account: account, isUnknown: false), try Settings.shared(in: sandbox),
        in: sandbox)
      let number = try rules.receiver()
      let sender = try rules.sender(to: number)
      var message = StoredMessage(form, of: account, in: sandbox)
      message.direction = .reply
      try message.send(form, from: sender, to: number, in: sandbox)
    } catch let error as APIError {
      note("a text was not sent: \(error.code) \(error.why ?? error.message)")
    } catch let error as FormError {
      note("a text was not sent: \(error)")
    }
  }

  /// Fetches another document.
  private func call(_ reference: String, _ method: Address.Method, as kind: InboundMessage.Kind) throws {
    let url = resolved(reference)
    guard !reference.isEmpty, AbsoluteURL(url) != nil else {
      throw TwiMLError(.noAnswer, "expected the URL of another document; found \(reference.quoted)")
    }
    if try !inbound.call(Address(url: url, method: method), as: kind) {
      note(TwiMLError(.noAnswer, "\(InboundMessage.maxDocuments) documents for one message"))
    }
  }

  /// A reference on the page of the answer. The query of a GET request can be longer than URLs of others.
  private func resolved(_ reference: String) -> String {
    guard AbsoluteURL(reference) == nil else { return reference }
    let page = AbsoluteURL(String(webhook.draft.url.prefix { $0 != "?" && $0 != "#" }))
    return page?.resolving(reference)?.description ?? reference
  }

  private func note(_ error: TwiMLError) { note("error \(error.code.rawValue): \(error.why)") }

  /// Writes the exchange with what is wrong about it to the journal.
  private func note(_ why: String) {
    sandbox.journal.record(
      Journal.Exchange(
        at: sandbox.clock.now, owner: TwilioProvider.name, route: nil,
        method: (webhook.request?.method ?? .post).rawValue, target: webhook.shownURL, requestHead: [],
        requestBody: webhook.request?.body ?? [], status: answer?.status ?? 0, responseHead: [],
        responseBody: answer?.body ?? [], why: "webhook \(webhook.id): \(why)", unread: [], nearest: []))
  }
}

extension WebhookAnswer {
  /// In lower case, without parameters; empty if there is none.
  fileprivate var mediaType: String {
    (values("Content-Type").first ?? "").prefix { $0 != ";" }.lowercased().trimmed
  }
}

extension String {
  /// Without spaces and line ends at both ends.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(
      start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)])
  }
}
