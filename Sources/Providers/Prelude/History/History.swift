import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/verification/phone/history`. Source: contract 5.

func listHistory(_ call: Call) throws -> Response {
  let query = try HistoryQuery(call.request.query, in: call.sandbox)
  let page = Page(try call.history(query), query.page, in: call.sandbox)
  return call.bareAnswer { page.write("verifications", to: &$0) { $0.write(to: &$1) } }
}

func fetchHistory(_ call: Call) throws -> Response {
  let id = call.request[parameter: "id"]
  guard let ordinal = ordinal(of: id, .verification, in: call.sandbox),
    let verification = try call.sandbox.verifications.find(ordinal),
    verification.claim.provider == PreludeProvider.name,
    identifier(of: verification, in: call.sandbox) == id
  else { throw Problem(.notFound, "there is no verification \(id)") }
  let entry = try HistoryEntry(verification, in: call.sandbox)
  let condition = try entry.currentCondition
  return call.bareAnswer { entry.writeDetail(condition, to: &$0) }
}

extension Call {
  /// The entries of a page, newest first, and one more where there is more behind it.
  fileprivate func history(
    _ query: HistoryQuery
  ) throws -> [(place: Int, record: HistoryEntry)] {
    var (entries, border): ([HistoryEntry], Int) = ([], query.page.place ?? .max)
    while entries.count <= query.page.limit {
      let found = try verifications(query, before: border)
      guard let last = found.last else { break }
      border = last.ordinal
      let phones = found.filter { PhoneNumber($0.claim.destination) != nil }
      entries += try phones.map { try HistoryEntry($0, in: sandbox) }.filter(query.admits)
    }
    return entries.map { ($0.verification.ordinal, $0) }
  }

  private func verifications(_ query: HistoryQuery, before border: Int) throws -> [Verification] {
    let (name, limit) = (PreludeProvider.name, query.page.limit + 1)
    guard let number = query.number else {
      return try sandbox.verifications.list(name, before: border, limit: limit)
    }
    return try sandbox.verifications.list(name, of: number, before: border, limit: limit)
  }
}
