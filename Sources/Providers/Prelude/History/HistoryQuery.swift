import Domain
import HTTP
import JSON
import ProviderKit

/// Which verifications are asked for, and where the page begins. Source: contract 5.
struct HistoryQuery {
  /// Only of this number.
  let number: String?
  /// Which page.
  let page: PageQuery
  private let channels: [HistoryChannel]
  private let platform: SignalsForm.Platform?
  private let from: Timestamp?
  private let to: Timestamp?
  private let minAttempts: Int?
  private let maxAttempts: Int?
  private let region: String?
  private let status: HistoryStatus?
  private let templateID: String?

  /// Reads the query.
  init(_ query: Form, in sandbox: Sandbox) throws {
    query.declare(Self.names + ["channels[]", "cursor", "limit"])
    number = query.text("phone_number").map { text in
      let digits = text.drop { $0 == " " || $0 == "+" }
      return "+\(digits)"
    }
    channels = try query.words("channels", of: HistoryChannel.self)
    platform = try query.optionalWord("device_platform", of: SignalsForm.Platform.self)
    (from, to) = (try query.time("from"), try query.time("to"))
    guard (from == nil) == (to == nil) else {
      throw Problem.invalid(from == nil ? "from" : "to", expected: "both from and to, or neither")
    }
    if let from, let to, from > to || to - from > .seconds(184 * 86_400) {
      throw Problem.invalid("to", expected: "a time at most six months after from")
    }
    minAttempts = try query.number("min_attempts", 0...1_000_000)
    maxAttempts = try query.number("max_attempts", 0...1_000_000)
    region = query.text("region")?.uppercased()
    status = try query.optionalWord("status", of: HistoryStatus.self)
    guard status != .pendingCheck else {
      throw Problem.invalid("status", expected: "another word than pending_check, which is no filter")
    }
    templateID = query.text("template_id")
    // The filters in one number: a cursor is good with the very same only.
    let filters = Self.names.map { query.all($0).joined(separator: ",") } + query.all("channels[]")
    page = try PageQuery(
      query, filter: Self.hash(filters.joined(separator: "\n")), atMost: 100, in: sandbox)
  }

  /// Whether a verification is among those that are asked for; filters combine with AND.
  func admits(_ entry: HistoryEntry) -> Bool {
    let attempts = entry.verification.attempts.all
    let words = attempts.map(\.channel.preludeWord)
    let created = entry.verification.createdAt
    return (channels.isEmpty || channels.contains { words.contains($0.rawValue) })
      && (platform == nil || platform?.rawValue == entry.platform)
      && (from.map { created >= $0 } ?? true) && (to.map { created <= $0 } ?? true)
      && (minAttempts.map { attempts.count >= $0 } ?? true)
      && (maxAttempts.map { attempts.count <= $0 } ?? true)
      && (region == nil || region == entry.subscriber?.country)
      && (status == nil || status == entry.status)
      && (templateID == nil || templateID == entry.window.templateID)
  }

  private static let names = [
    "phone_number", "channels", "device_platform", "from", "to", "min_attempts", "max_attempts", "region",
    "status", "template_id",
  ]

  /// FNV-1a, without the sign.
  private static func hash(_ text: String) -> Int {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return Int(hash >> 1)
  }
}

/// The channels that history tells apart: those of messages, calls and the silent one. Source: contract 5.
enum HistoryChannel: String, CaseIterable {
  case sms, rcs, whatsapp, viber, zalo, telegram, voice, silent
}

extension Form {
  /// A time of RFC 3339, where there is one.
  fileprivate func time(_ name: String) throws(Problem) -> Timestamp? {
    guard let text = text(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw Problem(.invalidDateFormat, "\(name) has to be a time of RFC 3339", param: name)
    }
    return time
  }
}
