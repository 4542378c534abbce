import JSON

/// Writes checks as commands for a shell: curl, and jq for what a request takes from an earlier answer.
package struct CheckScript {
  /// The URL of the sandbox: `http://127.0.0.1:5550/s/mine`.
  private let base: String
  /// The provider's credentials in the sandbox.
  private let credentials: [String: String]

  package init(base: String, credentials: [String: String]) {
    self.base = base
    self.credentials = credentials
  }

  /// Nil for an error that needs more than requests.
  package func text(of error: DocumentedError) -> String? {
    switch error.way {
    case .check(let check): text(of: check, of: error.provider)
    case .device: nil
    case .fault: fault(with: error.row.code, of: error.provider)
    }
  }

  private func text(of check: Check, of provider: String) -> String? {
    let last = check.requests.count - 1
    return check.requests.enumerated()
      .map { command($1, to: provider, showsStatus: $0 == last) }
      .joined(separator: "\n")
  }

  /// The command that lets the next request to the provider fail with a code.
  private func fault(with code: String, of provider: String) -> String {
    var request = CheckRequest("PUT", Fault.controlPath)
    request.body = #"{"faults":[{"provider":"\#(provider)","code":"\#(code)","times":1}]}"#
    return command(request, to: provider)
  }

  private func command(
    _ request: CheckRequest, to provider: String, showsStatus: Bool = false
  ) -> String {
    let options =
      (showsStatus ? ["-i"] : request.result == nil ? [] : ["-s"]) + (request.followsRedirects ? ["-L"] : [])
    let isWhole = request.isOfSandbox || request.path.hasPrefix("/\(provider)/")
    let prefix = isWhole ? base : request.path.hasPrefix("/") ? "\(base)/\(provider)" : ""
    let usualMethod = request.body.isEmpty ? "GET" : "POST"
    var words = [(["curl"] + options + [word(prefix + request.path)]).joined(separator: " ")]
    if request.method != usualMethod { words.append("-X \(request.method)") }
    words += request.fields.map { option($0.name, $0.value) } + body(of: request)
    var line = Self.wrapped(words)
    if request.count > 1 { line = "for n in {1..\(request.count)}; do \(line); done" }
    return request.result.map { "\($0)=$(\(line))" } ?? line
  }

  private func option(_ name: String, _ value: String) -> String {
    let credentials = value.hasPrefix("Basic ") ? String(value.dropFirst("Basic ".count)) : ""
    if name == "Authorization", credentials.contains(":") { return "-u \(word(credentials))" }
    return "-H \(word("\(name): \(value)"))"
  }

  private func body(of request: CheckRequest) -> [String] {
    guard !request.body.isEmpty else { return [] }
    guard request.isForm else {
      let hasType = request.fields.contains { $0.name == "Content-Type" }
      return (hasType ? [] : [#"-H "Content-Type: application/json""#]) + ["-d \(word(request.body))"]
    }
    return request.body.split(separator: "&").map { pair in
      let pair = word(String(pair))
      return (Self.isPlain(pair) ? "-d " : "--data-urlencode ") + pair
    }
  }

  /// One line, or one for each option if it would be too long.
  private static func wrapped(_ words: [String]) -> String {
    let line = words.joined(separator: " ")
    return line.count <= 110 ? line : words.joined(separator: " \\\n  ")
  }
}

// MARK: Words

extension CheckScript {
  /// A part of a text: itself, or an expression of the shell.
  private enum Part {
    case text(String)
    case expression(String)
  }

  /// A text with variables as one word of the shell.
  private func word(_ text: String) -> String {
    let parts = parts(of: text)
    let literal = parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    let hasExpressions = parts.contains { if case .expression = $0 { true } else { false } }
    guard hasExpressions else { return Self.isPlain(literal) ? literal : Self.quoted(literal) }
    // Within double quotes unless the text has some: JSON is easier to read in single quotes.
    let isSimple = !literal.contains { "\"\\`$!".contains($0) }
    let words = parts.map { part in
      switch part {
      case .text(let text): isSimple ? text : Self.quoted(text)
      case .expression(let expression): isSimple ? expression : "\"\(expression)\""
      }
    }
    return isSimple ? "\"\(words.joined())\"" : words.joined()
  }

  private func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
      parts.append(.text(String(rest[..<start.lowerBound])))
      parts.append(value(of: String(rest[start.upperBound..<end])))
      rest = rest[rest.index(after: end)...]
    }
    return (parts + [.text(String(rest))]).filter { if case .text("") = $0 { false } else { true } }
  }

  private func value(of variable: String) -> Part {
    if let credential = credentials[variable] { return .text(credential) }
    let words = variable.split(separator: " ")
    if words.count == 3, words[1] == "x" {
      return .expression("$(printf '\(words[0])%.0s' {1..\(words[2])})")
    }
    if words.count == 3, words[0] == "code" {
      return .expression("$(curl -s \(base)/control/inbox/\(words[2])/latest/code)")
    }
    let names = variable.split(separator: ".")
    guard names.count > 1 else { return .expression("$\(variable)") }
    let path = names.dropFirst().map { Int($0) == nil ? ".\($0)" : "[\($0)]" }.joined()
    // A shell may take brackets for a pattern.
    let filter = path.contains("[") ? Self.quoted(path) : path
    return .expression("$(jq -r \(filter) <<< \"$\(names[0])\")")
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }

  /// True for a text that the shell and an encoder of forms leave as it is.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-._/:=@".utf8.contains(byte)
      }
    }
  }
}
