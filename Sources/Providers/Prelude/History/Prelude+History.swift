import Domain
import HTTP
import JSON

/// The resource `/v2/verification/phone/history`. Source: contract 5.
extension Prelude {
  static func listHistory(_ call: Call) throws -> Response {
    let query = try HistoryQuery(call.request.query, in: call.sandbox)
    let (entries, hasMore) = try call.history(query)
    return call.bareAnswer { json in
      json.array("verifications", entries) { json, entry in json.value { entry.write(to: &$0) } }
      if hasMore, let last = entries.last {
        json.member("next_cursor", query.cursor(behind: last.verification.ordinal, in: call.sandbox))
      }
    }
  }

  static func fetchHistory(_ call: Call) throws -> Response {
    let id = call.request[parameter: "id"]
    guard let ordinal = ordinal(of: id, .verification, in: call.sandbox),
      let verification = try call.sandbox.verifications.find(ordinal), verification.claim.provider == name,
      identifier(of: verification, in: call.sandbox) == id
    else { throw Problem(.notFound, "there is no verification \(id)") }
    let entry = try HistoryEntry(verification, in: call.sandbox)
    let condition = try entry.currentCondition
    return call.bareAnswer { entry.writeDetail(condition, to: &$0) }
  }
}

extension Prelude.Call {
  /// One page, newest first, and whether there is more behind it.
  fileprivate func history(
    _ query: Prelude.HistoryQuery
  ) throws -> (entries: [Prelude.HistoryEntry], hasMore: Bool) {
    var (entries, border): ([Prelude.HistoryEntry], Int) = ([], query.before)
    while entries.count <= query.limit {
      let found = try verifications(query, before: border)
      guard let last = found.last else { break }
      border = last.ordinal
      let phones = found.filter { PhoneNumber($0.claim.destination) != nil }
      entries += try phones.map { try Prelude.HistoryEntry($0, in: sandbox) }.filter(query.admits)
    }
    return (Array(entries.prefix(query.limit)), entries.count > query.limit)
  }

  private func verifications(_ query: Prelude.HistoryQuery, before border: Int) throws -> [Verification] {
    let (name, limit) = (Prelude.name, query.limit + 1)
    guard let number = query.number else {
      return try sandbox.verifications.list(name, before: border, limit: limit)
    }
    return try sandbox.verifications.list(name, of: number, before: border, limit: limit)
  }
}
