import Domain
import HTTP
import JSON

extension Prelude {
  /// Which verifications are asked for, and where the page begins. Source: contract 5.
  struct HistoryQuery {
    let number: String?
    let limit: Int
    /// The ordinal before which the page begins.
    let before: Int
    private let channels: [String]
    private let platform: String?
    private let from: Timestamp?
    private let to: Timestamp?
    private let minAttempts: Int?
    private let maxAttempts: Int?
    private let region: String?
    private let status: String?
    private let templateID: String?
    /// The filters as text: a cursor is good with the very same only.
    private let fingerprint: String

    /// Reads the query.
    init(_ query: Form, in sandbox: Sandbox) throws {
      query.declare(Self.names + ["channels[]", "cursor", "limit"])
      number = query.text("phone_number").map { text in
        let digits = text.drop { $0 == " " || $0 == "+" }
        return "+\(digits)"
      }
      channels = try query.list("channels", of: Self.channelWords)
      platform = try query.word("device_platform", ["android", "ios", "ipados", "tvos", "web"])
      (from, to) = (try query.time("from"), try query.time("to"))
      guard (from == nil) == (to == nil) else {
        throw Problem.invalid(from == nil ? "from" : "to", expected: "both from and to, or neither")
      }
      if let from, let to, from > to || to - from > .seconds(184 * 86_400) {
        throw Problem.invalid("to", expected: "a time at most six months after from")
      }
      minAttempts = try query.count("min_attempts")
      maxAttempts = try query.count("max_attempts")
      limit = try query.number("limit", 1...100) ?? 50
      region = query.text("region")?.uppercased()
      status = try query.word("status", HistoryStatus.allCases.filter { $0 != .pendingCheck }.map(\.rawValue))
      templateID = query.text("template_id")
      let filters = Self.names.map { query.all($0).joined(separator: ",") } + query.all("channels[]")
      let fingerprint = filters.joined(separator: "\n")
      self.fingerprint = fingerprint
      before = try query.text("cursor").map { try Self.place($0, under: fingerprint, in: sandbox) } ?? .max
    }

    /// The cursor of the page behind an entry.
    func cursor(behind ordinal: Int, in sandbox: Sandbox) -> String {
      sandbox.entropy.identifier("history cursor", ordinal, Self.hash(fingerprint))
    }

    /// Whether a verification is among those that are asked for; filters combine with AND.
    func admits(_ entry: HistoryEntry) -> Bool {
      let attempts = entry.verification.attempts.all
      let words = attempts.map(\.channel.preludeWord)
      let created = entry.verification.createdAt
      return (channels.isEmpty || channels.contains(where: words.contains))
        && (platform == nil || platform == entry.platform)
        && (from.map { created >= $0 } ?? true) && (to.map { created <= $0 } ?? true)
        && (minAttempts.map { attempts.count >= $0 } ?? true)
        && (maxAttempts.map { attempts.count <= $0 } ?? true)
        && (region == nil || region == entry.subscriber?.country)
        && (status == nil || status == entry.status.rawValue)
        && (templateID == nil || templateID == entry.window.templateID)
    }

    private static let channelWords = OptionsForm.channelWords + ["voice", "silent"]
    private static let names = [
      "phone_number", "channels", "device_platform", "from", "to", "min_attempts", "max_attempts", "region",
      "status", "template_id",
    ]

    private static func place(_ cursor: String, under filters: String, in sandbox: Sandbox) throws -> Int {
      guard let (ordinal, filter) = sandbox.entropy.ordinals(of: cursor, under: "history cursor"),
        filter == hash(filters), ordinal > 0
      else { throw Problem.invalid("cursor", expected: "the next_cursor of a page with the same filters") }
      return ordinal
    }

    /// FNV-1a, without the sign.
    private static func hash(_ text: String) -> Int {
      let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      return Int(hash >> 1)
    }
  }
}

extension Form {
  /// The words of a list: joined by commas, repeated, or under `name[]`. Source: contract 2.2.
  fileprivate func list(_ name: String, of words: [String]) throws(Prelude.Problem) -> [String] {
    let texts = all(name) + all("\(name)[]")
    let found = texts.flatMap { $0.split(separator: ",").map(String.init) }
    guard found.allSatisfy(words.contains) else {
      throw .invalid(name, expected: "some of \(words.joined(separator: ", "))")
    }
    return found
  }

  fileprivate func word(_ name: String, _ words: [String]) throws(Prelude.Problem) -> String? {
    guard let word = text(name) else { return nil }
    guard words.contains(word) else {
      throw .invalid(name, expected: "one of \(words.joined(separator: ", "))")
    }
    return word
  }

  fileprivate func time(_ name: String) throws(Prelude.Problem) -> Timestamp? {
    guard let text = text(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw Prelude.Problem(.invalidDateFormat, "\(name) has to be a time of RFC 3339", param: name)
    }
    return time
  }

  fileprivate func count(_ name: String) throws(Prelude.Problem) -> Int? {
    try number(name, 0...1_000_000)
  }

  fileprivate func number(_ name: String, _ range: ClosedRange<Int>) throws(Prelude.Problem) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .invalid(name, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
