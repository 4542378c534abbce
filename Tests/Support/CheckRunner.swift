import Database
package import Domain
import Foundation
import HTTP
import JSON
package import ProviderKit
import Testing

/// Runs checks in process, each in a new sandbox.
package struct CheckRunner {
  private let providers: [any Provider.Type]
  private let world: TestSandbox
  /// By name; those of other providers than that of the checks as `twilio.authToken`.
  private var credentials: [String: String] = [:]
  /// The answers that have a name.
  private var answers: [String: Answer] = [:]

  private init(named name: String, _ providers: [any Provider.Type]) throws {
    self.providers = providers
    world = try TestSandbox(in: Database(.memory), parts: .init(providers: providers))
    for provider in providers {
      for credential in try provider.credentials(of: world.sandbox) {
        credentials[(provider.name == name ? "" : "\(provider.name).") + credential.name] = credential.value
      }
    }
  }

  /// Sends the requests of a check to a sandbox with the providers; if it names goldens, only with that of
  /// the name. Reports answers that differ from what it expects, from the goldens in the folder of the test's
  /// file, and from the provider's OpenAPI documents.
  package static func run(
    _ check: Check, named name: String, of providers: [any Provider.Type], beside testFile: String
  ) throws {
    let hasGoldens = check.requests.contains { $0.expected?.golden != nil }
    var runner = try Self(named: name, hasGoldens ? providers.filter { $0.name == name } : providers)
    for request in check.requests {
      for number in 1...request.count {
        let exchange = try runner.send(request, number)
        let complaints =
          runner.complaints(about: exchange, request.expected)
          + OpenAPIDocument.complaints(about: exchange, of: exchange.owner)
        for complaint in complaints {
          Issue.record(
            "check \(check.name): \(request.method) \(request.path): \(complaint)\n\(exchange.answer)")
        }
        if let golden = request.expected?.golden {
          exchange.matches(golden: golden, beside: testFile, source: check.source)
        }
      }
    }
  }

  private mutating func send(_ request: CheckRequest, _ number: Int) throws -> Exchange {
    guard let method = HTTP.Method(rawValue: request.method) else { throw UnknownVariable(request.method) }
    let own = Set(request.fields.map { $0.name.lowercased() })
    var headers: Headers = ["Host": request.fields.first { $0.name == "Host" }?.value ?? "127.0.0.1:5550"]
    for (name, value) in request.fields where name != "Host" {
      headers.add(name, Self.encoded(try filled(value, number)))
    }
    let body = try filled(request.body, number)
    if !body.isEmpty, !own.contains("content-type") {
      headers.add(
        "Content-Type", request.isForm ? "application/x-www-form-urlencoded" : "application/json")
    }
    let isEncoded = request.isForm && !own.contains("content-type")
    let path = path(try filled(request.path, number), method, host: headers["Host"] ?? "")
    var exchange = try world.send(
      Request(
        method, Target(path), headers: headers,
        body: Array((isEncoded ? Self.encodedForm(body) : body).utf8)))
    // A browser gives up, too.
    for _ in 0..<20 where request.followsRedirects {
      guard let location = exchange.headers["Location"] else { break }
      exchange = try world.send(
        Request(.get, Target(self.path(location, .get, host: headers["Host"] ?? "")), headers: headers))
    }
    if let name = request.result { answers[name] = Answer(exchange) }
    return exchange
  }

  /// A URL from an answer without its host. With the provider's prefix, if only that leads to it.
  private func path(_ text: String, _ method: HTTP.Method, host: String) -> String {
    let scheme = text.hasPrefix("/") ? nil : text.firstRange(of: "://")
    let path = scheme.map { String(text[$0.upperBound...].drop { $0 != "/" }) } ?? text
    if providers.count == 1, case .unowned = world.router.find(method, Target(path).path, host: host).outcome
    {
      return "/\(providers[0].name)\(path)"
    }
    return path
  }

  /// `name:password` as HTTP has it.
  private static func encoded(_ field: String) -> String {
    guard field.hasPrefix("Basic "), field.contains(":") else { return field }
    return "Basic " + Data(field.dropFirst("Basic ".count).utf8).base64EncodedString()
  }

  private static func encodedForm(_ form: String) -> String {
    form.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.map { PercentCoding.encode(String($0)) }.joined(separator: "=")
    }.joined(separator: "&")
  }

  // MARK: Variables

  private func filled(_ text: String, _ number: Int) throws -> String {
    var (filled, rest) = ("", text[...])
    while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
      filled += rest[..<start.lowerBound] + (try value(of: rest[start.upperBound..<end], number))
      rest = rest[rest.index(after: end)...]
    }
    return filled + rest
  }

  private func value(of variable: Substring, _ number: Int) throws -> String {
    let words = variable.split(separator: " ")
    if let credential = credentials[String(variable)] { return credential }
    if words.count == 3, words[1] == "x", let count = Int(words[2]) {
      return String(repeating: String(words[0]), count: count)
    }
    if words.first == "code", words.count == 3 {
      return String(
        decoding: try world.send(.to("/control/inbox/\(words[2])/latest/code")).body, as: UTF8.self)
    }
    if variable == "n" { return String(number) }
    let names = variable.split(separator: ".", maxSplits: 1)
    guard let answer = answers[String(names[0])], names.count == 1 || answer.text(at: names[1]) != nil
    else { throw UnknownVariable(variable) }
    return names.count == 1 ? answer.text : answer.text(at: names[1]) ?? ""
  }

  private struct UnknownVariable: Error, CustomStringConvertible {
    let description: String
    init(_ name: some StringProtocol) { description = "nothing has the name \(name)" }
  }

  // MARK: Answers

  private func complaints(about exchange: Exchange, _ expected: ExpectedAnswer?) -> [String] {
    guard let expected else { return exchange.status < 400 ? [] : ["found \(exchange.status)"] }
    let answer = Answer(exchange)
    var complaints = exchange.status == expected.status ? [] : ["expected \(expected.status)"]
    for value in expected.values {
      let value = (try? filled(value, 1)) ?? value
      if !answer.contains(value) { complaints.append("nothing is \(value)") }
    }
    for member in expected.members {
      let value = (try? filled(member.value, 1)) ?? member.value
      if answer.matches(value, at: member.path) != member.isEqual {
        complaints.append("expected \(member.path)\(member.isEqual ? "" : "!")=\(value)")
      }
    }
    return complaints
  }
}

/// An answer's members, also those of a text that is JSON or a form, and below `headers` its header fields;
/// `headers.Location.code` is a parameter of a URL.
private struct Answer {
  let body: JSON?
  let text: String
  let headers: Headers

  init(_ exchange: Exchange) {
    text = String(decoding: exchange.body, as: UTF8.self)
    body = try? JSON(parsing: exchange.body)
    headers = exchange.headers
  }

  /// The members at a path; several for `items.*.id`, none if there is no such member.
  private func values(at path: Substring) -> [JSON] {
    let names = path.split(separator: ".")
    if names.count > 1, names[0] == "headers" {
      let found = headers.pairs.filter { $0.name.lowercased() == names[1].lowercased() }.map(\.value)
      return names.count == 2 ? found.map { .string($0) } : found.compactMap { parameter(names[2], of: $0) }
    }
    return names.reduce(body.map { [$0] } ?? []) { values, name in values.flatMap { $0.members(named: name) }
    }
  }

  private func parameter(_ name: Substring, of url: String) -> JSON? {
    let query = try? Form(parsing: Array(url.drop { $0 != "?" }.dropFirst().utf8))
    return query?[String(name)].map { .string($0) }
  }

  /// A text or a number as it is, an object or an array as JSON.
  func text(at path: Substring) -> String? {
    switch values(at: path).first {
    case .object(let members)?: String(decoding: JSON.object(members).encoded(), as: UTF8.self)
    case .array(let items)?: String(decoding: JSON.array(items).encoded(), as: UTF8.self)
    case let value: value?.scalar
    }
  }

  /// True if a text, a number or the whole body is it, or if a body that is not JSON has it.
  func contains(_ value: String) -> Bool {
    guard let body else { return value == "empty" ? text.isEmpty : text.contains(value) }
    return body.scalars.contains { $0 == value || $0.hasSuffix("#\(value)") }
  }

  func matches(_ value: String, at path: String) -> Bool {
    if let star = path.firstIndex(of: "*") {
      guard !values(at: path[..<star]).isEmpty else { return false }
      return (try? JSON(parsing: Array(value.utf8))) == .array(values(at: path[...]))
    }
    guard let found = values(at: path[...]).first else { return value == "absent" }
    if value == "*" { return found != .null }
    let wanted = (try? JSON(parsing: Array(value.utf8))) ?? .string(value)
    if case .string(let start) = wanted, start.hasSuffix("*"), let text = found.scalar {
      return text.hasPrefix(start.dropLast())
    }
    return wanted == found
  }
}

extension JSON {
  fileprivate func members(named name: Substring) -> [JSON] {
    switch self {
    case .object(let members): members.filter { $0.name == name }.map(\.value)
    case .array(let items) where name == "*": items
    case .array(let items) where name == "count": [.integer(Int64(items.count))]
    case .array(let items):
      items.indices.filter { Int(name) == $0 || Int(name) == $0 - items.count }.map { items[$0] }
    case .string(let text):
      (try? JSON(parsing: Array(text.utf8)))?.members(named: name)
        ?? (try? Form(parsing: Array(text.utf8)))?.all(String(name)).map { .string($0) } ?? []
    default: []
    }
  }

  /// A text, a number or a boolean; nil for others.
  fileprivate var scalar: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .bool(let value): String(value)
    default: nil
    }
  }

  /// All texts and numbers in it.
  fileprivate var scalars: [String] {
    switch self {
    case .array(let items): items.flatMap(\.scalars)
    case .object(let members): members.flatMap(\.value.scalars)
    default: scalar.map { [$0] } ?? []
    }
  }
}
