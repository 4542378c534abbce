/// Reads a provider's `Checks/*.http`, or those of the control API: behaviour, told as requests and answers.
///
/// ```
/// Contract: FILE.md
/// @number = +12025550100                                    a text for what follows
/// @checks = /v2/Services/${serviceSid}/VerificationCheck    ${…}: another text, or a credential
/// Authorization: Basic ${accountSid}:${authToken}           a field of every request to the provider
///
/// ### 6 The sixth check of one verification                 contract SECTION
/// Even with the right code.                                 for people
/// sent = POST ${verifications} To=${number}&Channel=sms -> 201 pending
/// POST ${checks} x5 To=${number}&Code=000000 -> 200 pending
/// POST ${checks} To=${number}&Code=${code} -> 429 60202 [max-checks]
///
/// ### 60215, 60216 only by a fault
/// Mailers are retired.
/// ```
///
/// Body, fields and the expected answer may also have lines of their own, the answer several; `={}` is the
/// whole body. `OPEN ${url}` does what a phone does: a GET without the fields of every request, which follows
/// redirects. What stands in `Setup.http`, and before the first check of a file, is for each check that
/// follows. `advance 10m` moves the clock, `seed {…}` loads a seed, and `settings {…}` those of the provider.
/// The first check that ends with an error of the provider's table is the example of this error; `Format` is
/// that of the errors of a file or a check, if the provider has a code in several.
package struct CheckFile {
  package struct Mistake: Error, CustomStringConvertible {
    package let description: String
  }

  /// Errors that no requests of a client produce.
  struct Exception {
    /// In the provider's table.
    var codes: [String] = []
    var format: String?
    /// A conformance test that has a device's key; nil: only a fault produces them.
    var test: String?
    var routes: [String] = []
    var explanation = ""
  }

  package private(set) var checks: [Check] = []
  private(set) var exceptions: [Exception] = []
  private let provider: String
  /// What every check begins with.
  private var setup = Setup()
  private var contract = ""
  private var format: String?
  private var definitions: [String: String] = [:]
  private var check: Check?
  private var exception: Exception?
  private var request: CheckRequest?

  private struct Setup {
    var fields: [(name: String, value: String)] = []
    var requests: [CheckRequest] = []

    /// One of a file replaces that of `Setup.http`.
    mutating func add(_ field: (name: String, value: String)) {
      fields.removeAll { $0.name == field.name }
      fields.append(field)
    }
  }

  package init(_ files: [(name: String, text: [UInt8])], of provider: String) throws(Mistake) {
    self.provider = provider
    for (name, text) in files where name == "Setup" { try read(text) }
    let common = (setup, contract, format, definitions)
    for (name, text) in files where name != "Setup" {
      (setup, contract, format, definitions) = common
      try read(text)
    }
  }

  private mutating func read(_ text: [UInt8]) throws(Mistake) {
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("# ") {
      try read(line)
    }
    try endHeading()
  }

  private mutating func read(_ line: Substring) throws(Mistake) {
    let text = expanded(line.trimmed)
    if line.hasPrefix("### ") {
      try endHeading()
      try beginHeading(line.dropFirst("### ".count))
    } else if line.hasPrefix("@"), let (name, value) = line.dropFirst().split(at: " = ") {
      definitions[String(name)] = expanded(value)
    } else if let next = try CheckRequest(line: text, provider: provider) {
      endRequest()
      request = next
    } else if request != nil {
      try addToRequest(text)
    } else if check == nil, exception == nil {
      guard let field = text.field else { throw Mistake(description: "expected a field: \(line)") }
      switch field.name {
      case "Contract": contract = field.value
      case "Format": format = field.value
      default: setup.add(field)
      }
    } else {
      addToHeading(String(line))
    }
  }

  /// `6, 7 A title   contract SECTION`, or `60215, 60216 only by a fault`
  private mutating func beginHeading(_ text: Substring) throws(Mistake) {
    if text.hasSuffix(" only by a fault") || text.hasSuffix(" only by a device") {
      let codes = text.split(at: " only by a ")?.0 ?? ""
      exception = Exception(codes: codes.split(separator: ",").map { String($0.trimmed) })
      return
    }
    var check = Check()
    check.format = format
    let (title, section) = text.split(at: "  contract ") ?? (text, "")
    let words = title.trimmed.split(separator: " ")
    let numbers = words.prefix { $0.drop { $0 == "," }.isCheckNumber }
    check.numbers = numbers.map { String($0.prefix { $0 != "," }) }
    check.title = words.dropFirst(numbers.count).joined(separator: " ")
    guard !check.title.isEmpty else { throw Mistake(description: "expected a title: \(text)") }
    check.source = section.isEmpty ? contract : "\(contract) \(section.trimmed)"
    self.check = check
  }

  private mutating func addToHeading(_ line: String) {
    switch line.field {
    case ("Test", let value)?: exception?.test = value
    case ("Format", let value)?:
      check?.format = value
      exception?.format = value
    case ("Routes", let value)?:
      let routes = value.split(separator: ",").map { String($0.trimmed) }
      check?.routes = routes
      exception?.routes = routes
    default:
      check?.explanation.addSentence(line)
      exception?.explanation.addSentence(line)
    }
  }

  private mutating func addToRequest(_ line: String) throws(Mistake) {
    if let expected = try ExpectedAnswer(line: line) {
      request?.expected = expected
    } else if let field = line.field {
      request?.fields.append(field)
    } else if request?.expected != nil {
      request?.expected?.add(line[...].words)
    } else {
      request?.body += line
    }
  }

  private mutating func endRequest() {
    guard let done = request?.with(setup.fields) else { return }
    if check == nil { setup.requests.append(done) } else { check?.requests.append(done) }
    request = nil
  }

  private mutating func endHeading() throws(Mistake) {
    endRequest()
    if var check {
      guard !check.requests.isEmpty else { throw Mistake(description: "no requests: \(check.name)") }
      check.requests = setup.requests + check.requests
      checks.append(check)
    }
    if let exception { exceptions.append(exception) }
    (check, exception) = (nil, nil)
  }

  /// The text with the file's own definitions.
  private func expanded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return String(text) }
    var (whole, rest) = ("", text)
    while let (before, after) = rest.split(at: "${") {
      whole += before
      let name = after.prefix { $0 != "}" }
      if let value = definitions[String(name)], name.endIndex < after.endIndex {
        whole += value
        rest = after[name.endIndex...].dropFirst()
      } else {
        whole += "${"
        rest = name == "code" ? "code of ${number}" + after.dropFirst(name.count) : after
      }
    }
    return whole + rest
  }
}

// MARK: Requests

extension CheckRequest {
  private static let methods: Set<Substring> = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "OPEN"]

  /// `limit = POST /path x6 a=b -> 201`, or a word for a request to the control API; nil for another line.
  fileprivate init?(line: String, provider: String) throws(CheckFile.Mistake) {
    var (rest, expectation) = line[...].splitExpectation
    var words = rest.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    if let request = Self(word: words[0], argument: words[1].trimmed, provider: provider) {
      self = request
      return
    }
    var result: Substring?
    if let (name, request) = rest.split(at: " = "), !name.contains(" ") { (result, rest) = (name, request) }
    words = rest.trimmed.split(separator: " ", maxSplits: 2)
    guard words.count > 1, Self.methods.contains(words[0]), words[1].hasPrefix("/") || words[1].hasPrefix("$")
    else { return nil }
    self.init(words[0] == "OPEN" ? "GET" : String(words[0]), String(words[1]))
    followsRedirects = words[0] == "OPEN"
    self.result = result.map { String($0) }
    if words.count == 3 {
      var rest = words[2].trimmed
      let word = rest.prefix { $0 != " " }
      if word.hasPrefix("x"), let count = Int(word.dropFirst()) {
        self.count = count
        rest = rest.dropFirst(word.count).trimmed
      }
      body = String(rest)
    }
    expected = try expectation.flatMap { text throws(CheckFile.Mistake) in
      try ExpectedAnswer(line: "-> " + text)
    }
  }

  private init?(word: Substring, argument: Substring, provider: String) {
    switch word {
    case "advance":
      self.init("POST", "/control/clock?wait=60")
      body = #"{"advance":"\#(argument)"}"#
    case "seed":
      self.init("POST", "/control/seed")
      body = String(argument)
    case "settings":
      self.init("POST", "/control/seed")
      body = #"{"\#(provider)":{"settings":\#(argument)}}"#
    default: return nil
    }
  }

  /// The request with the fields of all requests to the provider, except those that it has or leaves out, and
  /// the type of bodies if it has no JSON.
  fileprivate func with(_ common: [(name: String, value: String)]) -> CheckRequest {
    var request = self
    let own = Set(fields.map { $0.name.lowercased() } + (isForm ? ["content-type"] : []))
    let others = isOfSandbox || followsRedirects ? [] : common.filter { !own.contains($0.name.lowercased()) }
    request.fields = others + fields.filter { $0.value != "-" }
    return request
  }
}

extension ExpectedAnswer {
  /// `-> 429 60202 status=429 "a text" [max-checks]`; nil for another line.
  fileprivate init?(line: String) throws(CheckFile.Mistake) {
    guard line.hasPrefix("-> ") else { return nil }
    let words = line.dropFirst("-> ".count).words
    guard let status = words.first.flatMap({ Int($0) }) else {
      throw CheckFile.Mistake(description: "expected a status: \(line)")
    }
    self.init(status: status)
    add(words.dropFirst())
  }

  fileprivate mutating func add(_ words: some Sequence<Substring>) {
    for word in words {
      if word.hasPrefix("["), word.hasSuffix("]") {
        golden = String(word.dropFirst().dropLast())
      } else if !word.hasPrefix("\""), let (path, value) = word.split(at: "=") {
        let isEqual = !path.hasSuffix("!")
        members.append(
          Member(path: String(isEqual ? path : path.dropLast()), isEqual: isEqual, value: String(value)))
      } else {
        values.append(String(word.hasPrefix("\"") ? word.dropFirst().dropLast() : word))
      }
    }
  }
}

// MARK: Texts

extension StringProtocol where SubSequence == Substring {
  /// `Routes: all`
  fileprivate var field: (name: String, value: String)? {
    guard let (name, value) = self[...].split(at: ": "),
      name.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0.isLetterOfASCII })
    else { return nil }
    return (String(name), String(value.trimmed))
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let text = utf8.drop { $0.isSpace }
    guard let last = text.lastIndex(where: { !$0.isSpace }) else { return "" }
    return self[text.startIndex..<text.index(after: last)]
  }

  /// As bytes: the standard library's search would take most of the time of reading a file.
  fileprivate func split(at separator: String) -> (Substring, Substring)? {
    ByteSearch(for: separator).place(in: Array(utf8), from: 0).map { place in
      let (end, start) = (
        utf8.index(startIndex, offsetBy: place.lowerBound), utf8.index(startIndex, offsetBy: place.upperBound)
      )
      return (self[..<end], self[start...])
    }
  }

  /// `6`, `M3`, `6,`
  fileprivate var isCheckNumber: Bool {
    let digits = drop { $0.isUppercase }.prefix { $0 != "," }
    return (1...3).contains(digits.count) && digits.allSatisfy(\.isNumber)
  }

  /// A request, and what follows the last arrow before a status.
  fileprivate var splitExpectation: (Substring, Substring?) {
    let arrow = " -> "
    var rest: Substring?
    while let (_, after) = (rest ?? self).split(at: arrow) { rest = after }
    guard let expectation = rest, expectation.first?.isNumber == true else { return (self, nil) }
    let end = utf8.index(expectation.startIndex, offsetBy: -arrow.utf8.count)
    return (self[..<end].trimmed, expectation)
  }

  /// The words between spaces that are not within quotation marks, brackets or braces.
  fileprivate var words: [Substring] {
    var (words, start, depth, isQuoted) = ([Substring](), startIndex, 0, false)
    for place in utf8.indices {
      switch Unicode.Scalar(utf8[place]) {
      case "\"": isQuoted.toggle()
      case "[", "{": depth += isQuoted ? 0 : 1
      case "]", "}": depth -= isQuoted ? 0 : 1
      case " " where !isQuoted && depth == 0:
        words.append(self[start..<place])
        start = utf8.index(after: place)
      default: break
      }
    }
    return (words + [self[start...]]).filter { !$0.isEmpty }
  }
}

extension String {
  fileprivate mutating func addSentence(_ line: String) { self += (isEmpty ? "" : " ") + line }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == UInt8(ascii: " ") }

  fileprivate var isLetterOfASCII: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}
