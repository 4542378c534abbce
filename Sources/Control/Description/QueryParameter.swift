/// One parameter of a query: its name, type and meaning, and how it is read.
struct QueryParameter<Value>: Sendable {
  let name: String
  let schema: JSONSchema
  let summary: String
  private let expected: String
  private let parse: @Sendable (String) -> Value?

  var member: ObjectSchema.Member { ObjectSchema.Member(name, schema, summary) }

  /// The value in a query; nil where the query does not have it.
  func value(in query: Form) throws(FormError) -> Value? {
    guard let text = query[name] else { return nil }
    guard let value = parse(text) else {
      throw FormError(field: name, expected: expected, found: text.shortened)
    }
    return value
  }
}

extension String {
  /// For an error: at most 60 characters.
  fileprivate var shortened: String { count > 60 ? "\(prefix(59))…" : self }
}

extension QueryParameter where Value == String {
  init(_ name: String, _ summary: String) {
    self.init(name: name, schema: .string(), summary: summary, expected: "a text") { $0 }
  }

  /// A text that can start with a phone number. Its `+` arrives as a space if it is not percent-encoded.
  init(numberOrText name: String, _ summary: String) {
    self.init(name: name, schema: .string(), summary: summary, expected: "a text") {
      $0.hasPrefix(" ") ? "+" + $0.dropFirst() : $0
    }
  }
}

extension QueryParameter where Value == Int {
  init(_ name: String, _ range: ClosedRange<Int>, _ summary: String) {
    let (least, most) = (range.lowerBound, range.upperBound)
    self.init(
      name: name, schema: .integer(minimum: least, maximum: most), summary: summary,
      expected: most == Int.max ? "an integer of \(least) or more" : "an integer from \(least) to \(most)"
    ) {
      Int($0).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension QueryParameter where Value == StreamPosition {
  init(_ name: String, _ summary: String) {
    self.init(
      name: name, schema: .string(pattern: "^[0-9]{1,18}\\.[0-9]{1,18}(\\.[0-9]{1,18})?$"), summary: summary,
      expected: StreamPosition.expected, parse: StreamPosition.init)
  }
}

extension QueryParameter where Value: RawRepresentable<String> & CaseIterable & Sendable {
  init(_ name: String, _ summary: String) {
    let type = FieldType<Value>.word
    self.init(name: name, schema: type.schema, summary: summary, expected: type.expected) {
      Value(rawValue: $0)
    }
  }
}

/// The parameters of the control API's queries and paths.
enum Parameter {
  static let after = QueryParameter<Int>("after", 0...Int.max, "Only entries after this cursor.")
  static let afterName = QueryParameter<String>(numberOrText: "after", "Only entries after this cursor.")
  static let afterEvent = QueryParameter<StreamPosition>(
    "after", "Only what comes after the event with this id; by default, what happens from now on.")
  static let limit = QueryParameter<Int>(
    "limit", 1...1_000, "The most entries of the answer; \(PageRange<Int>.defaultLimit) by default.")
  static let order = QueryParameter<ListOrder>(
    "order", "oldest first, which is the default, or newest first; after then means before.")
  static let wait = QueryParameter<Int>("wait", 0...30, "Seconds to wait for an entry.")
  static let arrival = QueryParameter<Int>(
    "wait", 0...3_600, "Seconds to wait until the clock has arrived: by default 5 for a change, else none.")
  static let number = QueryParameter<String>(
    numberOrText: "number", "Only this phone number or email address.")
  static let provider = QueryParameter<String>("provider", "Only this provider.")
  static let code = QueryParameter<String>("code", "Only this error code.")
  static let operation = QueryParameter<String>(
    "operation", "Only this operation, such as setClock; list for the names, methods and paths of all.")
  static let channel = QueryParameter<Channel>("channel", "Only this channel.")
  static let flow = QueryParameter<FailureGroup.Flow>("flow", "Only failures that an app meets in this flow.")
  static let holder = QueryParameter<HolderChoice>(
    "holder",
    "Whose messages: of whoever has the number now, which is the default, of those who had it before a SIM swap or "
      + "a recycling, or all.")
  static let kind = QueryParameter<String>("kind", "Only this kind, by the provider's name for it.")
  static let token = QueryParameter<String>("token", "Only this push token.")
  static let pushType = QueryParameter<String>("type", "Only pushes whose data have this type.")
  static let challengeState = QueryParameter<Challenge.State>(
    "state", "Only pushes whose challenge is in this state.")
  static let webhookState = QueryParameter<Webhook.State>("state", "Only webhooks in this state.")
  static let route = QueryParameter<String>("route", "Only requests to the route of this name.")
  static let method = QueryParameter<String>("method", "Only requests with this method.")
  static let status = QueryParameter<Int>("status", 0...599, "Only requests answered with this status.")
  static let contains = QueryParameter<String>(
    "contains", "Only requests with this text in path, query or body.")

  static let answerContains = QueryParameter<String>(
    "answerContains", "Only requests with this text in the body of the answer.")

  static let clock = [arrival.member]
  static let page = [after.member, limit.member]
  static let namedPage = [afterName.member, limit.member]
  static let afterMessage = QueryParameter<String>(
    numberOrText: "after", "Only messages after this one: its id, or the cursor of a page.")
  static let pattern = QueryParameter<String>(
    "pattern",
    "A regular expression that finds the code in a text: its first group, or the match. The newest message with a match counts."
  )
  static let latestMessage = [channel.member, provider.member, afterMessage.member, wait.member]
  static let inbox = [channel.member, provider.member] + page + [order.member, wait.member]
  static let latestMessageOfNumber = latestMessage + [holder.member]
  static let latestCode = latestMessage + [pattern.member]
  static let latestCodeOfNumber = latestMessageOfNumber + [pattern.member]
  static let inboxOfNumber = inbox + [holder.member]
  static let messages = [number.member] + inbox
  static let verifications = [provider.member, number.member] + page
  static let records = [kind.member] + page
  static let pushAttempts = [token.member] + page
  static let setupProvider = QueryParameter<String>("provider", "The provider of the app's mobile SDK.")
  static let setupNumber = QueryParameter<String>(numberOrText: "number", "The phone's number.")
  static let identity = QueryParameter<String>("identity", "The person's id at the provider.")
  static let service = QueryParameter<String>("service", "The provider's id of the service to enrol with.")
  static let phoneToken = QueryParameter<String>("token", "The app's push token.")

  static let phonePushes = [phoneToken.member, after.member, limit.member, wait.member]
  static let phoneSetup = [setupProvider.member, setupNumber.member, identity.member, service.member]
  static let pushes =
    [token.member, number.member, provider.member, pushType.member, challengeState.member]
    + page + [wait.member]
  static let eventStream = [afterEvent.member]
  static let events = page + [order.member, wait.member]
  static let lastChange = QueryParameter<Int>(
    "after", 0...Int.max, "The cursor of the board that you have; by default, what changes from now on.")
  private static let requests =
    [provider, route, method].map(\.member) + [status.member, contains.member, answerContains.member] + page
  static let journal = requests + [order.member]
  static let journalWait = requests + [wait.member]
  static let webhooks = [provider.member, kind.member, webhookState.member] + page + [wait.member]

  /// A capture that can be an email address too.
  static let inboxOwner = ObjectSchema.Member(
    "number", .string(), "The phone number, such as +12025550100, or the email address.")

  static let failure = ObjectSchema.Member("id", .string(), "The failure's id, such as text-lost.")

  /// Captures of paths, by name.
  static let path: [String: ObjectSchema.Member] = Dictionary(
    uniqueKeysWithValues: [
      ObjectSchema.Member("name", FieldType<String>.sandboxName.schema, "The sandbox's name."),
      ObjectSchema.Member("number", FieldType<PhoneNumber>.phoneNumber.schema, "The phone number."),
      ObjectSchema.Member("destination", .string(), "The phone number or email address."),
      ObjectSchema.Member("provider", .string(), "The provider's name."),
      ObjectSchema.Member("id", .string(), "The id, or latest."),
      ObjectSchema.Member("workshop", FieldType<String>.oneWord.schema, "The workshop's name."),
    ].map { ($0.name, $0) })
}

extension FieldType<String> {
  static var sandboxName: FieldType {
    .text(.string(pattern: "^[A-Za-z0-9_.-]{1,64}$"), expected: "1 to 64 letters, digits, -, _ or .") {
      SandboxName($0) != nil
    }
  }
}
