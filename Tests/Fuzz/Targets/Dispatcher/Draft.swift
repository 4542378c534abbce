import HTTP
import JSON

/// A request while it is changed. Its values have positions: path segments, then the query, the body, the
/// headers.
struct Draft: CustomStringConvertible {
  enum Body {
    case json(JSON)
    case form([Pair])
    case text(String)
  }

  struct Pair {
    var name: String
    var value: String
  }

  /// How the request chooses a sandbox.
  enum Selection { case none, header, path }

  var method = Method.post
  var segments: [String] = []
  var query: [Pair] = []
  var headers: [Pair] = []
  var body: Body

  init(body: Body) { self.body = body }

  init(_ entry: BaseRequests.Entry) {
    method = Method(rawValue: entry.method) ?? .get
    let target = Target(entry.target)
    segments = target.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(
      String.init)
    query = Self.pairs(of: target.query) ?? []
    headers = entry.headers.map { Pair(name: $0.name, value: $0.value) }
    if let json = try? JSON(parsing: Array(entry.body.utf8)) {
      body = .json(json)
    } else if !entry.body.isEmpty, let pairs = Self.pairs(of: entry.body) {
      body = .form(pairs)
    } else {
      body = .text(entry.body)
    }
  }

  mutating func select(sandbox name: String, by selection: Selection) {
    switch selection {
    case .none: break
    case .header: headers.append(Pair(name: "X-Sandbox", value: name))
    case .path: segments = ["s", name] + segments
    }
  }

  /// Replaces ids, codes and tokens by similar ones of earlier answers.
  mutating func link(to earlier: EarlierValues) {
    func link(_ text: inout String) { if let value = earlier.similar(to: text) { text = value } }
    for index in segments.indices { link(&segments[index]) }
    for index in query.indices { link(&query[index].value) }
    switch body {
    case .json(let json): body = .json(json.mapTexts { earlier.similar(to: $0) ?? $0 })
    case .form(var pairs):
      for index in pairs.indices { link(&pairs[index].value) }
      body = .form(pairs)
    case .text: break
    }
  }

  var request: Request {
    var fields: Headers = [:]
    for pair in headers { fields.add(pair.name, pair.value) }
    return Request(method, Target(target), headers: fields, body: bodyBytes)
  }

  var bodyBytes: [UInt8] {
    switch body {
    case .json(let json): json.encoded()
    case .form(let pairs): Array(Self.text(of: pairs).utf8)
    case .text(let text): Array(text.utf8)
    }
  }

  var description: String {
    let text = String(decoding: bodyBytes.prefix(2_000), as: UTF8.self)
    let selected = headers.last { $0.name == "X-Sandbox" }.map { " [X-Sandbox: \($0.value)]" } ?? ""
    return "\(method.rawValue) \(target.prefix(1_000))\(selected) \(text)"
  }

  private var target: String {
    let path = segments.map { "/" + PercentCoding.encode($0, keeping: ":%.") }.joined()
    return query.isEmpty ? path : "\(path)?\(Self.text(of: query))"
  }

  private static func pairs(of text: String) -> [Pair]? {
    (try? Form(parsing: Array(text.utf8)))?.pairs.map { Pair(name: $0.name, value: $0.value) }
  }

  private static func text(of pairs: [Pair]) -> String {
    pairs.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
  }
}

extension JSON {
  fileprivate func mapTexts(_ change: (String) -> String) -> JSON {
    switch self {
    case .string(let text): .string(change(text))
    case .array(let items): .array(items.map { $0.mapTexts(change) })
    case .object(let members):
      .object(members.map { Member(name: $0.name, value: $0.value.mapTexts(change)) })
    default: self
    }
  }
}
