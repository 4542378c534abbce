import JSON
import Support

struct VerificationAnswer: NamedBody, Equatable {
  static let statuses: Set = [200, 201]
  let sid: String
  let serviceSid: String
  let accountSid: String
  let to: String
  let channel: String
  let status: String
  let isValid: Bool
  let createdAt: String
  let updatedAt: String
  let lookup: JSON
  let amount: String?
  let payee: String?
  let attempts: [SendCodeAttempt]
  let url: String

  struct SendCodeAttempt: Equatable {
    let sid: String
    let channel: String
    let time: String
  }

  init(_ fields: Fields) throws {
    sid = try fields.string("sid")
    serviceSid = try fields.string("service_sid")
    accountSid = try fields.string("account_sid")
    to = try fields.string("to")
    channel = try fields.string("channel")
    status = try fields.string("status")
    isValid = try fields.bool("valid")
    createdAt = try fields.string("date_created")
    updatedAt = try fields.string("date_updated")
    lookup = try fields.json("lookup")
    amount = try fields.optionalString("amount")
    payee = try fields.optionalString("payee")
    attempts = try fields.objects("send_code_attempts").map { attempt in
      SendCodeAttempt(
        sid: try attempt.string("attempt_sid"), channel: try attempt.string("channel"),
        time: try attempt.string("time"))
    }
    _ = try fields.optionalJSON("sna")
    url = try fields.string("url")
  }
}

struct CheckAnswer: NamedBody, Equatable {
  static let statuses: Set = [200, 201]
  let sid: String
  let to: String
  let channel: String
  let status: String
  let isValid: Bool
  let amount: String?
  let payee: String?
  let updatedAt: String

  init(_ fields: Fields) throws {
    sid = try fields.string("sid")
    _ = try fields.string("service_sid")
    _ = try fields.string("account_sid")
    to = try fields.string("to")
    channel = try fields.string("channel")
    status = try fields.string("status")
    isValid = try fields.bool("valid")
    amount = try fields.optionalString("amount")
    payee = try fields.optionalString("payee")
    _ = try fields.optionalJSON("sna_attempts_error_codes")
    _ = try fields.string("date_created")
    updatedAt = try fields.string("date_updated")
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
  let size: Int
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
    size = try meta.int("page_size")
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
