import ProviderKit

/// Newest first.
func listCalls(_ context: RequestContext) throws -> Response {
  let account = try StoredCall.account(of: context)
  let filter = try CallFilter(context.request.query, at: context.sandbox.clock.now)
  let page = try Page<StoredCall>(of: context, filters: CallFilter.names, newestFirst: true) {
    try StoredCall.table.list(
      group: account, from: $0, limit: $1, in: context.sandbox, where: filter.selects)
  }
  return page.flatResponse(key: "calls", page.records) {
    CallBody($0, in: context.sandbox).write(to: &$1)
  }
}

/// The filters of a list.
private struct CallFilter {
  private let to: String?
  private let from: String?
  private let status: StoredCall.Status?
  private let started: TimeFilter
  private let ended: TimeFilter
  private let now: Timestamp

  static let names = ["To", "From", "Status"] + TimeFilter.names("StartTime") + TimeFilter.names("EndTime")

  init(_ query: Form, at now: Timestamp) throws {
    to = query.text("To")
    from = query.text("From")
    status = try query.optionalWord("Status", of: StoredCall.Status.self)
    started = try TimeFilter("StartTime", query)
    ended = try TimeFilter("EndTime", query)
    self.now = now
  }

  func selects(_ call: StoredCall) -> Bool {
    (to == nil || to == call.to) && (from == nil || from == call.from)
      && (status == nil || status == call.status(at: now)) && started.selects(call.answeredAt)
      && ended.selects(call.endedAt)
  }
}
