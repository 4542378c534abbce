import Domain
import HTTP
import JSON

/// What providers keep besides, in their own words: for people who look on. Source: `prelude.md` 16.2.
extension ControlAPI {
  func listRecords(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let query = try request.query
    let kind = query["kind"]
    let after = try count("after", in: query, atMost: Int.max) ?? 0
    try query.requireAllRead()
    let found = try sandbox.records.all(
      ofProvider: request[parameter: "provider"], kind: kind, after: after, limit: Self.pageLimit)
    return .json(
      200,
      JSONWriter.object { json in
        json.array("records", found) { json, entry in
          json.value {
            $0.member("kind", entry.kind)
            $0.member("key", entry.item.key)
            $0.member("owner", entry.owner)
            $0.member("record", encoded: Array(entry.item.record.utf8))
          }
        }
        json.member("cursor", found.last?.item.ordinal ?? after)
      })
  }
}
