import Domain
import JSON
import ProviderKit

/// Who may be sent marketing: a configuration of the account's, with the numbers that it knows. It is made by the
/// vendor's staff, here by a seed; people change it by what they write. Source: contract 10.
struct Subscription {
  /// A number that receives what people write.
  struct Line {
    /// ISO 3166-1 alpha-2.
    let country: String
    /// In E.164, or a short code.
    let number: String
  }

  /// Its identifier.
  let id: String
  /// For people.
  let title: String
  /// Where its events go.
  let callbackURL: String
  /// What is answered to HELP, START and STOP.
  let answers: Texts
  /// Where people write to.
  let lines: [Line]
  /// When it was made.
  let createdAt: Timestamp
  /// When it was changed last.
  let updatedAt: Timestamp

  /// The three words that are answered, as the vendor names the answers.
  static let answerNames = ["help_message", "start_message", "stop_message"]

  /// Reads what a seed says of one.
  init(_ fields: Fields, at now: Timestamp) throws {
    id = try fields.string("id")
    guard (1...64).contains(id.utf8.count), !id.utf8.contains(where: { $0 <= 0x20 || $0 == 0x2F }) else {
      throw fields.mismatch("id", expected: "1 to 64 characters without spaces and slashes")
    }
    title = try fields.string("name")
    callbackURL = try fields.string("callbackUrl")
    guard isWebURL(callbackURL) else {
      throw fields.mismatch("callbackUrl", expected: "an http or https URL")
    }
    answers = try fields.texts("messages")
    guard answers.pairs.allSatisfy({ Self.answerNames.contains($0.name) }) else {
      throw fields.mismatch("messages", expected: "only \(Self.answerNames.joined(separator: ", "))")
    }
    lines = try (fields.optionalObjects("lines") ?? []).map {
      Line(country: try $0.string("country"), number: try $0.string("number"))
    }
    createdAt = try fields.time("createdAt") ?? now
    updatedAt = try fields.time("updatedAt") ?? createdAt
  }

  /// Writes it as seeds have it, without its members.
  func write(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("name", title)
    json.member("callbackUrl", callbackURL)
    json.object("messages") { answers.write(to: &$0) }
    json.array("lines", lines) { json, line in
      json.value {
        $0.member("country", line.country)
        $0.member("number", line.number)
      }
    }
    json.member("createdAt", createdAt.iso8601Exact)
    json.member("updatedAt", updatedAt.iso8601Exact)
  }

  /// Whether what is written to a sender is for it: to its own lines or, where it has none, to any sender of
  /// Notify's.
  func hears(_ sender: String, isAnswer: Bool) -> Bool {
    lines.isEmpty ? isAnswer : lines.contains { $0.number == sender }
  }

  /// The line that marketing to a country comes from, so that people can answer it; the sandbox's own choice.
  static func line(for country: String?, in sandbox: Sandbox) throws -> String? {
    try list(in: sandbox).flatMap(\.record.lines).first { $0.country == country }?.number
  }

  /// The one of an identifier.
  static func find(_ id: String, in sandbox: Sandbox) throws -> Subscription? {
    try records.find(id, in: sandbox) { try Subscription($0, at: sandbox.clock.now) }
  }

  /// Those next to a border, oldest first.
  static func list(
    in sandbox: Sandbox, from border: PageBoundary = .after(0), limit: Int = Int.max
  ) throws -> [(place: Int, record: Subscription)] {
    try records.list(in: sandbox, from: border, limit: limit) {
      try Subscription($0, at: sandbox.clock.now)
    }
  }

  /// Keeps it for a sandbox.
  func keep(in sandbox: Sandbox) throws {
    try Self.records.keep(id, in: sandbox) { write(to: &$0) }
  }

  /// Whether a number has left one of them: marketing to it is refused.
  static func hasLeft(_ number: PhoneNumber, in sandbox: Sandbox) throws -> Bool {
    try list(in: sandbox).contains { entry in
      try Membership.find(number, of: entry.record.id, in: sandbox)?.state == .left
    }
  }

  private static let records = Records("subscription")
}
