import ProviderKit

/// Newest first. Source: contract 16.2.
func listMessages(_ context: RequestContext) throws -> Response {
  let account = try AccountSID.named(by: context)
  let filter = try MessageFilter(context.request.query)
  let page = try Page<StoredMessage>(of: context, filters: MessageFilter.names, newestFirst: true) {
    try filter.messages(of: account, from: $0, limit: $1, in: context.sandbox)
  }
  let bodies = try page.records.map { try MessageBody($0, in: context.sandbox) }
  return page.flatResponse(key: "messages", bodies) { $0.write(to: &$1) }
}

/// The filters of a list.
struct MessageFilter {
  private let to: String?
  private let from: String?
  private let sent: Range<Timestamp>?
  private let sentBy: Timestamp?
  private let sentSince: Timestamp?

  static let names = ["To", "From", "DateSent", "DateSent<", "DateSent>"]

  /// `DateSent<` and `DateSent>` include the day or second that they name.
  init(_ query: Form) throws(APIError) {
    to = query.text("To")
    from = query.text("From")
    sent = try Self.span("DateSent", query)
    sentBy = try Self.span("DateSent<", query)?.upperBound
    sentSince = try Self.span("DateSent>", query)?.lowerBound
  }

  /// The day of a date, or the second of a time.
  private static func span(_ name: String, _ query: Form) throws(APIError) -> Range<Timestamp>? {
    guard let text = query.text(name) else { return nil }
    if let day = Timestamp(iso8601: "\(text)T00:00:00Z") { return day..<day + .seconds(86_400) }
    guard let time = Timestamp(rfc3339: text) ?? Timestamp(rfc1123: text) else {
      throw .invalidParameter(name, expected: "a date such as 2026-01-05, or a time in ISO 8601")
    }
    // Clients send a date as its midnight.
    let isDay = time.iso8601.hasSuffix("T00:00:00Z")
    return time..<time + .seconds(isDay ? 86_400 : 1)
  }

  /// Messages next to a boundary, oldest first. Reads the list in pieces, because few may match.
  func messages(
    of account: String, from boundary: PageBoundary, limit: Int, in sandbox: Sandbox
  ) throws -> [(position: Int, record: StoredMessage)] {
    var (found, boundary): ([(position: Int, record: StoredMessage)], PageBoundary) = ([], boundary)
    while found.count < limit {
      let piece = try StoredMessage.table.list(
        group: account, from: boundary, limit: Self.pieceSize, in: sandbox)
      let matching = try piece.filter { try matches($0.record, in: sandbox) }
      switch boundary {
      case .after:
        found += matching
        if let last = piece.last { boundary = .after(last.position) }
      case .before:
        found = matching + found
        if let first = piece.first { boundary = .before(first.position) }
      }
      if piece.count < Self.pieceSize { break }
    }
    if case .after = boundary { return Array(found.prefix(limit)) }
    return found.suffix(limit)
  }

  private func matches(_ message: StoredMessage, in sandbox: Sandbox) throws -> Bool {
    guard to == nil || to == message.to, from == nil || from == message.from else { return false }
    if sent == nil, sentBy == nil, sentSince == nil { return true }
    guard let time = try MessageProgress(of: message, in: sandbox).sentAt else { return false }
    return (sent?.contains(time) ?? true) && time < sentBy ?? .latest && time >= sentSince ?? .earliest
  }

  private static let pieceSize = 200
}
