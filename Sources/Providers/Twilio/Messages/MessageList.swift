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
  private let sent: TimeFilter

  static let names = ["To", "From"] + TimeFilter.names("DateSent")

  init(_ query: Form) throws(APIError) {
    to = query.text("To")
    from = query.text("From")
    sent = try TimeFilter("DateSent", query)
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
    return try sent.isEmpty || sent.selects(MessageProgress(of: message, in: sandbox).sentAt)
  }

  private static let pieceSize = 200
}
