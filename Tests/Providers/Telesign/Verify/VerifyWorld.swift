import Domain
import HTTP
import JSON
import Support
import Testing

/// Requests to the Verify API.
extension TelesignWorld {
  static let number = "15558675309"

  /// Creates a verification; `members` follow the recipient, such as `,"external_id":"a"`.
  func create(_ members: String = "", to number: String = number) throws -> Exchange {
    try send(.post, "/verification", json: #"{"recipient":{"phone_number":"\#(number)"}\#(members)}"#)
  }

  /// Creates a verification with methods and times such as `whatsapp 60, sms`, and returns its reference id.
  func start(_ policy: String = "sms", to number: String = number) throws -> String {
    let entries = policy.split(separator: ",").map { entry in
      let words = entry.split(separator: " ")
      let time = words.count > 1 ? #","fallback_time":\#(words[1])"# : ""
      return #"{"method":"\#(words[0])"\#(time)}"#
    }
    let created = try create(#","verification_policy":[\#(entries.joined(separator: ","))]"#, to: number)
    return try created.members().string("reference_id")
  }

  func fetch(_ reference: String) throws -> Exchange { try get("/verification/\(reference)") }

  /// Submits a code, by default the one that was sent last.
  func finalize(_ reference: String, _ code: String? = nil) throws -> Exchange {
    let code = try code ?? self.code()
    return try send(
      .patch, "/verification/\(reference)/state",
      json: #"{"action":"finalize","security_factor":"\#(code)"}"#)
  }

  /// The code that was sent last.
  func code(to number: String = number) throws -> String {
    try #require(try inbox(number).last?.code)
  }

  /// The state with its methods: `ONGOING: whatsapp FAILED 3056, sms ONGOING 3901`.
  func state(_ reference: String) throws -> String {
    let members = try fetch(reference).members()
    let methods = try members.objects("inner_methods").map { method in
      let code = try method.optionalInt("err_code").map { " \($0)" } ?? ""
      return "\(try method.string("method")) \(try method.string("state"))\(code)"
    }
    return "\(try members.string("state")): \(methods.joined(separator: ", "))"
  }
}

extension Exchange {
  /// For example `200 3901`.
  func statusAndCode() throws -> String {
    "\(answer.prefix(3)) \(try members().object("status").int("code"))"
  }
}
