import Domain
import HTTP
import JSON
import Support
import Testing

/// Requests to SMS, Voice, Smart and App Verify.
extension TelesignWorld {
  static let hook = "http://127.0.0.1:9/hook"

  func sms(_ number: String = number, _ more: KeyValuePairs<String, String> = [:]) throws -> Exchange {
    try post("/v1/verify/sms", form: ["phone_number": number], more)
  }

  func voice(_ number: String = number, _ more: KeyValuePairs<String, String> = [:]) throws -> Exchange {
    try post("/v1/verify/call", form: ["phone_number": number], more)
  }

  func smart(_ number: String = number, _ more: KeyValuePairs<String, String> = [:]) throws -> Exchange {
    try post("/v1/verify/smart", form: ["phone_number": number, "ucid": "BACF"], more)
  }

  func app(_ operation: String, _ form: KeyValuePairs<String, String>) throws -> Exchange {
    try post("/v1/verify/auto/voice/\(operation)", form: form)
  }

  func status(_ reference: String, code: String? = nil) throws -> Exchange {
    try get("/v1/verify/\(reference)\(code.map { "?verify_code=\($0)" } ?? "")")
  }

  func progress(_ reference: String) throws -> Int {
    try status(reference).statusCode()
  }

  /// The transcript of the newest call to a number.
  func transcript(_ number: String = number) throws -> [String] {
    let message = try #require(try inbox(number).last)
    let call = try #require(try sandbox.calls.find(message.ordinal))
    return call.transcript(by: .seconds(3600)).map { "\($0.speaker.rawValue) \($0.text)" }
  }

  private func post(
    _ path: String, form: KeyValuePairs<String, String>, _ more: KeyValuePairs<String, String>
  ) throws -> Exchange {
    let pairs = (form.map { $0 } + more.map { $0 }).map {
      "\(PercentCoding.encode($0.key))=\(PercentCoding.encode($0.value))"
    }
    var headers = Self.basic
    headers.add("Content-Type", "application/x-www-form-urlencoded")
    return try world.send(
      .to(path, .post, headers: headers, body: Array(pairs.joined(separator: "&").utf8)))
  }
}

extension Exchange {
  func reference() throws -> String { try members().string("reference_id") }

  /// `status.code`
  func statusCode() throws -> Int { try members().object("status").int("code") }
}
