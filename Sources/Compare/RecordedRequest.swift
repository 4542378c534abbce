import HTTP
import JSON

extension Recording.Entry {
  /// Fields of a connection or of the sandbox, and those that are written anew.
  private static let droppedFields: Set = [
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade",
    "expect", "proxy-authorization", "proxy-connection", "accept-encoding", "x-sandbox",
  ]

  /// The request as a client sends it to the provider. `ids` has what takes the place of recorded ids,
  /// `authorization` what takes the place of the recorded field.
  func request(
    with ids: IdMap = IdMap(), authorization: String? = nil
  ) throws(MalformedRequest) -> Request {
    let body = ids.replacing(in: body)
    var lines = ["\(method) \(ids.replacing(in: url.target)) HTTP/1.1", "Host: \(url.authority)"]
    for header in headers {
      let name = header.name.lowercased()
      guard !Self.droppedFields.contains(name), authorization == nil || name != "authorization" else {
        continue
      }
      lines.append("\(header.name): \(ids.replacing(in: header.value))")
    }
    if let authorization { lines.append("Authorization: \(authorization)") }
    if !body.isEmpty || method != "GET" { lines.append("Content-Length: \(body.count)") }
    let head = lines.map { Array($0.utf8) + [0x0D, 0x0A] }.joined()
    return try Request(
      parsing: head + [0x0D, 0x0A] + body, scheme: url.isSecure ? "https" : "http", peer: "127.0.0.1"
    ) { _ in Limits().body }
  }

  /// The names and values of its query and body: those of a form, or the leaves of JSON.
  var values: [String] {
    guard let request = try? request() else { return [] }
    let query = (try? request.query.pairs) ?? []
    if let json = try? JSON(parsing: body) { return query.map(\.value) + json.leaves.compactMap(\.value) }
    return query.map(\.value) + ((try? request.form.pairs) ?? []).map(\.value)
  }
}

extension RecordedAnswer {
  /// The texts in its body, if that is JSON; not numbers, which may be times.
  var texts: [String] {
    guard let json = try? JSON(parsing: body ?? []) else { return [] }
    return json.leaves.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}

extension JSON {
  /// Its values that are neither an array nor an object.
  fileprivate var leaves: [JSON] {
    switch self {
    case .array(let items): items.flatMap(\.leaves)
    case .object(let members): members.flatMap(\.value.leaves)
    default: [self]
    }
  }

  /// A text, or a number without a fraction.
  fileprivate var value: String? {
    if case .string(let text) = self { text } else { wholeNumber.map(String.init) }
  }
}
