import JSON
import Support

struct VerificationAnswer: NamedBody {
  static let statuses: Set = [200, 201]
  let sid: String
  let status: String

  init(_ fields: Fields) throws {
    sid = try fields.string("sid")
    status = try fields.string("status")
    for name in fields.names { _ = try fields.json(name) }
  }
}

/// Members are accessible by their dotted names.
struct ServiceAnswer: NamedBody, Equatable {
  static let statuses: Set = [200, 201]
  let json: JSON

  init(_ fields: Fields) throws {
    json = .object(try fields.names.map { .init(name: $0, value: try fields.json($0)) })
  }

  var sid: String { text("sid") ?? "" }

  func text(_ path: String) -> String? { if case .string(let text)? = self[path] { text } else { nil } }

  subscript(path: String) -> JSON? {
    path.split(separator: ".").reduce(json as JSON?) { node, name in node?[String(name)] }
  }
}

struct ServicePage: NamedBody {
  static let statuses: Set = [200]
  let names: [String]
  let page: Int
  let first: String
  let previous: String?
  let this: String
  let next: String?

  init(_ fields: Fields) throws {
    names = try fields.objects("services").map { service in
      for name in service.names { _ = try service.json(name) }
      return try service.string("friendly_name")
    }
    let meta = try fields.object("meta")
    page = try meta.int("page")
    _ = try meta.int("page_size")
    first = try meta.string("first_page_url")
    previous = try meta.optionalString("previous_page_url")
    this = try meta.string("url")
    next = try meta.optionalString("next_page_url")
    guard try meta.string("key") == "services" else { throw meta.mismatch("key", expected: "services") }
  }
}

struct ErrorAnswer: NamedBody, Equatable {
  static let statuses = Set(400...599)
  let code: Int
  let message: String
  let status: Int

  init(_ fields: Fields) throws {
    code = try fields.int("code")
    message = try fields.string("message")
    status = try fields.int("status")
    guard try fields.string("more_info") == "https://www.twilio.com/docs/errors/\(code)" else {
      throw fields.mismatch("more_info", expected: "the page of \(code)")
    }
  }
}
