import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests to the control API of a server or of a sandbox, for what has no word here.
public struct Control: Sendable {
  /// The longest wait that the server takes in one request, in seconds.
  private static let longestWait = 30

  /// Proxies are for the app under test. Tests that run at once may all wait for the server.
  private static let session = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionProxyDictionary = [:]
    configuration.httpMaximumConnectionsPerHost = 200
    configuration.timeoutIntervalForRequest = 90
    return URLSession(configuration: configuration)
  }()

  public let url: String
  let token: String?
  /// Says why the server may not answer.
  let describe: @Sendable () async -> String

  public func get(_ path: String, _ query: [String: String?] = [:]) async throws -> JSON {
    try await json("GET", path, query: query)
  }

  @discardableResult
  public func post(_ path: String, _ body: JSON? = nil, _ query: [String: String?] = [:]) async throws -> JSON
  {
    try await json("POST", path, body, query: query)
  }

  @discardableResult
  public func put(_ path: String, _ body: JSON) async throws -> JSON {
    try await json("PUT", path, body)
  }

  @discardableResult
  public func delete(_ path: String) async throws -> JSON {
    try await json("DELETE", path)
  }

  /// The answer as a value; a text as a string.
  func json(_ method: String, _ path: String, _ body: JSON? = nil, query: [String: String?] = [:])
    async throws
    -> JSON
  {
    guard let answer = try await send(method, path, body, query: query) else { return .null }
    return answer.isJSON ? try answer.decoded() : .string(answer.text)
  }

  /// The answer as one of the types of the control API.
  func value<Value: Decodable>(
    _ method: String, _ path: String, _ body: JSON? = nil, query: [String: String?] = [:]
  ) async throws -> Value {
    guard let answer = try await send(method, path, body, query: query) else {
      throw RingfenceError("no answer")
    }
    return try answer.decoded()
  }

  /// All entries of a list, page by page.
  func entries<Entry: Decodable & Sendable>(_ path: String, query: [String: String?] = [:]) async throws
    -> [Entry]
  {
    var (found, after): ([Entry], Int?) = ([], nil)
    while true {
      let place = ["limit": "1000", "after": after.map { "\($0)" }]
      let page: Page<Entry> = try await value("GET", path, query: query.merging(place) { given, _ in given })
      found += page.entries
      guard page.hasMore else { return found }
      after = page.cursor
    }
  }

  /// The newest entries of a list, newest first.
  func newest<Entry: Decodable & Sendable>(_ path: String, limit: Int, query: [String: String?] = [:])
    async throws
    -> [Entry]
  {
    let order = ["order": "newest", "limit": "\(limit)"]
    let page: Page<Entry> = try await value("GET", path, query: query.merging(order) { given, _ in given })
    return page.entries
  }

  /// Calls `ask` with the seconds to wait on the server, until it has a result or the time is over.
  static func within<Result>(_ seconds: Double, ask: (String) async throws -> Result?) async throws -> Result?
  {
    guard seconds >= 0, seconds < 1_000_000_000 else {
      throw RingfenceError("within: expected seconds, such as 5; found \(seconds)")
    }
    var left = Int(seconds.rounded(.up))
    while true {
      let found = try await ask("\(min(left, longestWait))")
      if found != nil || left <= longestWait { return found }
      left -= longestWait
    }
  }

  /// Nil with a status in `missing`.
  func send(
    _ method: String, _ path: String, _ body: JSON? = nil, query: [String: String?] = [:],
    missing: Set<Int> = []
  ) async throws -> Answer? {
    let (answer, status) = try await send(try request(method, path, body, query: query))
    if missing.contains(status) { return nil }
    if (200..<300).contains(status) { return answer }
    let said: JSON = answer.isJSON ? try answer.decoded() : .null
    let why = said["error"].string ?? (answer.text.isEmpty ? "status \(status)" : answer.text)
    throw RingfenceError(why, status: status, field: said["field"].string)
  }

  private func request(_ method: String, _ path: String, _ body: JSON?, query: [String: String?]) throws
    -> URLRequest
  {
    let present = query.compactMap { name, value in value.map { "\(name)=\(segment($0))" } }.sorted()
    let target = "\(url)\(path)\(present.isEmpty ? "" : "?")\(present.joined(separator: "&"))"
    guard let there = URL(string: target) else { throw RingfenceError("\(target) is no URL") }
    var request = URLRequest(url: there)
    request.httpMethod = method
    if let body {
      request.httpBody = try JSONEncoder().encode(body)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    return request
  }

  private func send(_ request: URLRequest) async throws -> (Answer, status: Int) {
    do {
      let (content, response) = try await Control.session.data(for: request)
      let head = response as? HTTPURLResponse
      let kind = head?.value(forHTTPHeaderField: "Content-Type") ?? ""
      let answer = Answer(
        target: request.url?.path ?? "", content: content, isJSON: kind.hasPrefix("application/json"))
      return (answer, head?.statusCode ?? 0)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw RingfenceError(
        "no answer from the server at \(url) (\(error.localizedDescription)): \(await describe())\(proxyHint)"
      )
    }
  }

  /// On Linux, a session always uses the proxy of the environment.
  private var proxyHint: String {
    #if canImport(FoundationNetworking)
      let proxy = ProcessInfo.processInfo.environment["http_proxy"] ?? ""
      return proxy.isEmpty ? "" : "; http_proxy is \(proxy): set no_proxy=127.0.0.1"
    #else
      return ""
    #endif
  }
}

struct Answer {
  let target: String
  let content: Data
  let isJSON: Bool

  var text: String {
    String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func decoded<Value: Decodable>() throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: content)
    } catch {
      throw RingfenceError(
        "this client does not know the answer of \(target): is it as new as the program? \(error)")
    }
  }
}

/// A part of a list. Its member with the entries has another name in each list.
struct Page<Entry: Decodable & Sendable>: Decodable, Sendable {
  let entries: [Entry]
  let hasMore: Bool
  let cursor: Int?

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Name.self)
    hasMore = try members.decodeIfPresent(Bool.self, forKey: Name(stringValue: "hasMore")) ?? false
    cursor = try members.decodeIfPresent(Int.self, forKey: Name(stringValue: "cursor"))
    let list = members.allKeys.first { !["hasMore", "cursor"].contains($0.stringValue) }
    entries = try list.map { try members.decode([Entry].self, forKey: $0) } ?? []
  }
}

/// A text as one segment of a path, or as a value of a query.
func segment(_ text: String) -> String {
  let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
  return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
}
