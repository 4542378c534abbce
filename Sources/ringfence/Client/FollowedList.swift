import JSON

/// A list of the control API of which new entries are shown as they come.
struct FollowedList {
  private let path: String
  /// The path that waits for entries, if it is another one.
  private let waiting: String
  /// The member with the entries.
  private let name: String
  private let filter: String

  /// How long one request waits for entries, in seconds.
  private static let wait = 30

  init(path: String, waiting: String? = nil, name: String, _ filter: String) {
    self.path = path
    self.waiting = waiting ?? path
    self.name = name
    self.filter = filter
  }

  /// Calls with the entries so far, which may be none, and with new ones. Never returns.
  func follow(_ client: ControlClient, _ show: (_ entries: [JSON], _ isFirst: Bool) throws -> Void) throws {
    var (cursor, hasMore, isFirst) = (0, true, true)
    while true {
      let target = hasMore ? "\(path)?\(filter)" : "\(waiting)?\(filter)&wait=\(Self.wait)"
      do {
        let page = try client.get("\(target)&limit=1000&after=\(cursor)")
        if case .array(let entries) = try page.json(name), isFirst || !entries.isEmpty {
          try show(entries, isFirst)
          isFirst = false
        }
        (cursor, hasMore) = (try page.int("cursor"), try page.bool("hasMore"))
      } catch let error as ControlClient.Rejection where error.status == 404 && !hasMore {
        // Nothing has come in time.
        continue
      }
    }
  }
}
