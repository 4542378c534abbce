import ProviderKit

// The resource `/v2/verification/phone/history`. Source: contract 5.

func listHistory(_ context: RequestContext) throws -> Response {
  let query = try HistoryQuery(context.request.query, in: context.sandbox)
  let page = Page(try query.entries(in: context.sandbox), query.page, in: context.sandbox)
  return .json(200) { page.write("verifications", to: &$0) { $0.write(to: &$1) } }
}

func fetchHistory(_ context: RequestContext) throws -> Response {
  let id = context.request[parameter: "id"]
  guard let ordinal = Identifier.ordinal(of: id, .verification, in: context.sandbox),
    let verification = try context.sandbox.verifications.find(ordinal),
    verification.claim.provider == PreludeProvider.name,
    Identifier.text(of: verification, in: context.sandbox) == id
  else { throw APIError(.notFound, "there is no verification \(id)") }
  let entry = try HistoryEntry(verification, in: context.sandbox)
  let currentCondition = try entry.currentCondition
  return .json(200) { entry.writeDetail(currentCondition, to: &$0) }
}

/// The filters and the page of a list. Source: contract 5.
private struct HistoryQuery {
  let number: String?
  let page: PageQuery
  private let channels: [HistoryChannel]
  private let platform: DeviceSignals.Platform?
  private let from: Timestamp?
  private let to: Timestamp?
  private let minAttempts: Int?
  private let maxAttempts: Int?
  private let region: String?
  private let status: HistoryStatus?
  private let templateID: String?

  init(_ query: Form, in sandbox: Sandbox) throws {
    query.declare(Self.filterNames + ["channels[]", "cursor", "limit"])
    number = query.text("phone_number").map { text in
      let digits = text.drop { $0 == " " || $0 == "+" }
      return "+\(digits)"
    }
    channels = try query.words("channels", of: HistoryChannel.self)
    platform = try query.optionalWord("device_platform", of: DeviceSignals.Platform.self)
    (from, to) = (try query.time("from"), try query.time("to"))
    guard (from == nil) == (to == nil) else {
      throw APIError.invalid(from == nil ? "from" : "to", expected: "both from and to, or neither")
    }
    if let from, let to, from > to || to - from > .seconds(184 * 86_400) {
      throw APIError.invalid("to", expected: "a time at most six months after from")
    }
    minAttempts = try query.number("min_attempts", 0...1_000_000)
    maxAttempts = try query.number("max_attempts", 0...1_000_000)
    region = query.text("region")?.uppercased()
    status = try query.optionalWord("status", of: HistoryStatus.self)
    guard status != .pendingCheck else {
      throw APIError.invalid("status", expected: "another word than pending_check, which is no filter")
    }
    templateID = query.text("template_id")
    let filters =
      Self.filterNames.map { query.all($0).joined(separator: ",") } + query.all("channels[]")
    page = try PageQuery(
      query, filter: Self.hash(filters.joined(separator: "\n")), maxLimit: 100, in: sandbox)
  }

  /// The entries of the page and the one after it, newest first.
  func entries(in sandbox: Sandbox) throws -> [(position: Int, record: HistoryEntry)] {
    var (entries, position): ([HistoryEntry], Int) = ([], page.position ?? .max)
    while entries.count <= page.limit {
      let found = try verifications(before: position, in: sandbox)
      guard let last = found.last else { break }
      position = last.ordinal
      let phones = found.filter { PhoneNumber($0.claim.destination) != nil }
      entries += try phones.map { try HistoryEntry($0, in: sandbox) }.filter(matches)
    }
    return entries.map { ($0.verification.ordinal, $0) }
  }

  private func verifications(before position: Int, in sandbox: Sandbox) throws -> [Verification] {
    let (name, limit) = (PreludeProvider.name, page.limit + 1)
    guard let number else {
      return try sandbox.verifications.list(name, before: position, limit: limit)
    }
    return try sandbox.verifications.list(name, of: number, before: position, limit: limit)
  }

  /// True if an entry matches all filters.
  private func matches(_ entry: HistoryEntry) -> Bool {
    let attempts = entry.verification.attempts.all
    let names = attempts.map(\.channel.preludeName)
    let created = entry.verification.createdAt
    return (channels.isEmpty || channels.contains { names.contains($0.rawValue) })
      && (platform == nil || platform?.rawValue == entry.platform)
      && (from.map { created >= $0 } ?? true) && (to.map { created <= $0 } ?? true)
      && (minAttempts.map { attempts.count >= $0 } ?? true)
      && (maxAttempts.map { attempts.count <= $0 } ?? true)
      && (region == nil || region == entry.subscriber?.country)
      && (status == nil || status == entry.status)
      && (templateID == nil || templateID == entry.stored.templateID)
  }

  private static let filterNames = [
    "phone_number", "channels", "device_platform", "from", "to", "min_attempts", "max_attempts", "region",
    "status", "template_id",
  ]

  /// FNV-1a, without the sign.
  private static func hash(_ text: String) -> Int {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return Int(hash >> 1)
  }
}

/// The channels of the filter. Source: contract 5.
private enum HistoryChannel: String, CaseIterable {
  case sms, rcs, whatsapp, viber, zalo, telegram, voice, silent
}

extension Form {
  /// A time of RFC 3339.
  fileprivate func time(_ name: String) throws(APIError) -> Timestamp? {
    guard let text = text(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw APIError(.invalidDateFormat, param: name)
    }
    return time
  }
}
