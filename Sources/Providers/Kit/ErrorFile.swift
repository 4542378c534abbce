import Domain

/// Reads a provider's `Errors.http`: how each of its errors is produced without a fault.
///
/// ```
/// @service = /v2/Services/${serviceSid}                  a text for the requests below
/// Authorization: Basic ${accountSid}:${authToken}        a field of every request to the provider
///
/// ### 60202                                              a code, and a status or a format if they are needed
/// The sixth check of one verification.                   for people
/// Check: test_twilio_06_sixth_check_is_60202
/// Routes: checkVerification, createVerification
/// POST ${service}/Verifications
/// To=+15551234567&Channel=sms
/// POST ${service}/VerificationCheck x6                   the last request gets the error
/// To=+15551234567&Code=000000
///
/// ### 60215, 60216 only by a fault
/// Mailers are retired.
/// ```
/// Requests before the first error are sent before each example. `limit = POST …` keeps an answer for later
/// requests; the field `Authorization: -` leaves it out.
struct ErrorFile {
  /// Which rows of the provider's table an example is for.
  struct Key: Equatable {
    let code: String
    var status: Int?
    var format: String?
  }

  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var examples: [(key: Key, example: ErrorExample)] = []
  private var definitions: [(name: String, value: String)] = []
  /// What every example begins with.
  private var commonFields: [(name: String, value: String)] = []
  private var commonRequests: [ExampleRequest] = []
  /// The keys of the error that is read; nil before the first one.
  private var keys: [Key]?
  private var example = ErrorExample()
  private var request: ExampleRequest?

  init(_ text: String) throws(Mistake) {
    for line in text.split(separator: "\n") where !line.hasPrefix("# ") { try read(String(line)) }
    endError()
  }

  private mutating func read(_ line: String) throws(Mistake) {
    if line.hasPrefix("### ") {
      endError()
      try beginError(line.dropFirst("### ".count))
    } else if line.hasPrefix("@"), let (name, value) = Self.split(line.dropFirst(), at: " = ") {
      definitions.append((name, expanded(value)))
    } else if let next = ExampleRequest(line: expanded(line)) {
      endRequest()
      request = next
    } else if request != nil {
      addToRequest(expanded(line))
    } else if keys == nil {
      guard let field = Self.field(line) else { throw Mistake(description: "expected a field: \(line)") }
      commonFields.append((field.name, expanded(field.value)))
    } else {
      addToError(line)
    }
  }

  private mutating func beginError(_ title: Substring) throws(Mistake) {
    let suffix = " only by a fault"
    example.isOnlyByFault = title.hasSuffix(suffix)
    let words = title.dropLast(example.isOnlyByFault ? suffix.count : 0).split(separator: " ")
    let codes =
      words.prefix { $0.hasSuffix(",") }.map { $0.dropLast() }
      + [words.drop { $0.hasSuffix(",") }.first]
      .compactMap(\.self)
    let details = words.dropFirst(codes.count)
    guard let code = codes.last, !code.isEmpty else {
      throw Mistake(description: "expected a code: \(title)")
    }
    keys = codes.map { code in
      Key(
        code: String(code), status: details.lazy.compactMap { Int($0) }.first,
        format: details.first { Int($0) == nil }.map { String($0) })
    }
  }

  private mutating func addToError(_ line: String) {
    switch Self.field(line) {
    case ("Check", let value)?: example.check = value
    case ("Routes", let value)?:
      example.routes = value.split(separator: ",").map { $0.drop { $0 == " " } }.map { String($0) }
    default: example.explanation += (example.explanation.isEmpty ? "" : " ") + line
    }
  }

  private mutating func addToRequest(_ line: String) {
    if let field = Self.field(line), request?.body.isEmpty == true {
      request?.fields.append(field)
    } else {
      request?.body += line
    }
  }

  private mutating func endRequest() {
    guard let done = request?.with(commonFields) else { return }
    if keys == nil { commonRequests.append(done) } else { example.requests.append(done) }
    request = nil
  }

  private mutating func endError() {
    endRequest()
    if let keys {
      if !example.requests.isEmpty { example.requests = commonRequests + example.requests }
      examples += keys.map { ($0, example) }
    }
    example = ErrorExample()
  }

  /// The text with the file's own definitions.
  private func expanded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    return definitions.reduce(text) { $0.replacing("${\($1.name)}", with: $1.value) }
  }

  /// `Check: test_1`
  private static func field(_ line: String) -> (name: String, value: String)? {
    guard let (name, value) = split(line[...], at: ": "),
      name.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0.isLetterOfASCII })
    else { return nil }
    return (name, value)
  }

  fileprivate static func split(_ text: Substring, at separator: String) -> (String, String)? {
    text.firstRange(of: separator).map { (String(text[..<$0.lowerBound]), String(text[$0.upperBound...])) }
  }
}

extension ExampleRequest {
  private static let methods: Set = ["GET", "POST", "PUT", "PATCH", "DELETE"]

  /// `limit = POST /path x6`; nil for another line.
  fileprivate init?(line: String) {
    let (result, rest) = ErrorFile.split(line[...], at: " = ").map { ($0, $1) } ?? ("", line)
    let words = rest.split(separator: " ")
    guard (2...3).contains(words.count), Self.methods.contains(String(words[0])), words[1].hasPrefix("/")
    else {
      return nil
    }
    self.init(String(words[0]), String(words[1]))
    self.result = result.isEmpty ? nil : result
    guard words.count == 3 else { return }
    guard words[2].hasPrefix("x"), let count = Int(words[2].dropFirst()) else { return nil }
    self.count = count
  }

  /// The request with the fields of all requests to the provider, except those that it has or leaves out.
  fileprivate func with(_ common: [(name: String, value: String)]) -> ExampleRequest {
    var request = self
    let own = Set(fields.map { $0.name.lowercased() })
    let others = path.hasPrefix("/control/") ? [] : common.filter { !own.contains($0.name.lowercased()) }
    request.fields = others + fields.filter { $0.value != "-" }
    return request
  }
}

extension UInt8 {
  fileprivate var isLetterOfASCII: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}
