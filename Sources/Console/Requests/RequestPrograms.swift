import Crypto
import ProviderKit

/// A request as a command for a shell.
struct CurlCommand {
  let text: String

  init(_ request: RepeatableRequest) {
    var words = ["curl"]
    var pipe = ""
    let isEmpty = if case .none = request.body { true } else { false }
    if request.method != (isEmpty ? "GET" : "POST") { words[0] += " -X \(request.method)" }
    words[0] += " \(Self.word(request.url))"
    if let (name, password) = request.credentials {
      words.append("-u \(Self.pair(name, password))")
    }
    words += request.fields.map { "-H \(Self.word(SecretText("\($0.name): ") + $0.value))" }
    // Otherwise curl sets one.
    if !isEmpty, !request.has("content-type") { words.append("-H 'Content-Type:'") }
    switch request.body {
    case .none: break
    case .text(let text): words.append("--data-raw \(Self.word(text))")
    case .bytes(let bytes):
      pipe = "printf %s \(Base64.encode(bytes).shellQuoted) | base64 -d | "
      words.append("--data-binary @-")
    }
    text = pipe + words.joined(separator: " \\\n  ")
  }

  private static func word(_ text: SecretText) -> String {
    let words = text.parts.map { part in
      switch part {
      case .text(let text): text.shellQuoted
      case .variable(let name): "\"$\(name)\""
      }
    }
    return words.isEmpty ? "''" : words.joined()
  }

  /// `"$USER:$PASSWORD"`
  private static func pair(_ name: SecretText, _ password: SecretText) -> String {
    if case .variable(let name)? = name.parts.first, case .variable(let password)? = password.parts.first {
      return "\"$\(name):$\(password)\""
    }
    return word(name + SecretText(":") + password)
  }
}

/// A request as a program in Python, with the package `requests`.
struct PythonProgram {
  let text: String

  init(_ request: RepeatableRequest) {
    var lines: [String] = []
    if let (name, password) = request.credentials {
      lines.append("auth=(\(Self.expression(name)), \(Self.expression(password))),")
    }
    let fields = request.combinedFields.map { "    \($0.name.quoted): \(Self.bytes(ifNeeded: $0.value))," }
    if !fields.isEmpty { lines += ["headers={"] + fields + ["},"] }
    switch request.body {
    case .none: break
    case .text(let text): lines.append("data=\(Self.bytes(ifNeeded: text)),")
    case .bytes(let bytes): lines.append("data=base64.b64decode(\(Base64.encode(bytes).quoted)),")
    }
    if request.isRedirected { lines.append("allow_redirects=False,") }
    lines.insert("\(request.method.quoted), \(Self.expression(request.url)),", at: 0)
    let program = lines.map { "    \($0)\n" }.joined()
    let imports = ["base64.", "os."].filter(program.contains).map { "import \($0.dropLast())\n" }.joined()
    text =
      "\(request.note.map { "# \($0)\n" } ?? "")\(imports)\(imports.isEmpty ? "" : "\n")import requests\n\n"
      + "answer = requests.request(\n\(program))\nprint(answer.status_code, answer.text)\n"
  }

  private static func expression(_ text: SecretText) -> String {
    text.expression { name in "os.environ[\(name.quoted)]" }
  }

  /// The package sends texts in Latin-1.
  private static func bytes(ifNeeded text: SecretText) -> String {
    text.isASCII ? expression(text) : "(\(expression(text))).encode()"
  }
}

/// A request as a program for Node, without packages.
struct NodeProgram {
  let text: String

  init(_ request: RepeatableRequest) {
    var fields = request.combinedFields.map { ($0.name.quoted, Self.latin1(ifNeeded: $0.value)) }
    if let (name, password) = request.credentials {
      let pair = Self.expression(name + SecretText(":") + password)
      fields.insert((#""Authorization""#, #""Basic " + Buffer.from(\#(pair)).toString("base64")"#), at: 0)
    }
    let headers = fields.map { "    \($0.0): \($0.1),\n" }.joined()
    var options = "  method: \(request.method.quoted),\n"
    if !headers.isEmpty { options += "  headers: {\n\(headers)  },\n" }
    // A text would get a content type.
    let body: String? =
      switch request.body {
      case .none: nil
      case .text(let text) where request.has("content-type"): Self.expression(text)
      case .text(let text): "Buffer.from(\(Self.expression(text)))"
      case .bytes(let bytes): "Buffer.from(\(Base64.encode(bytes).quoted), \"base64\")"
      }
    let url = Self.expression(request.url)
    let note = request.note.map { "// \($0)\n" } ?? ""
    // `fetch` sets Host itself, and sends no body with GET.
    if request.has("host") || body != nil && ["GET", "HEAD"].contains(request.method) {
      let module =
        if case .text(let start)? = request.url.parts.first, start.hasPrefix("https:") { "https" } else {
          "http"
        }
      text = """
        \(note)import { request } from "node:\(module)";

        const answer = await new Promise((resolve, reject) => {
          request(\(url), {
        \(options.indented)  }, resolve).on("error", reject).end(\(body ?? ""));
        });
        console.log(answer.statusCode, (await answer.setEncoding("utf8").toArray()).join(""));

        """
      return
    }
    if let body { options += "  body: \(body),\n" }
    if request.isRedirected { options += "  redirect: \"manual\",\n" }
    text = """
      \(note)const answer = await fetch(\(url), {
      \(options)});
      console.log(answer.status, await answer.text());

      """
  }

  private static func expression(_ text: SecretText) -> String {
    text.expression { name in "process.env.\(name)" }
  }

  /// Header fields are bytes, written as the letters of Latin-1.
  private static func latin1(ifNeeded text: SecretText) -> String {
    text.isASCII ? expression(text) : "Buffer.from(\(expression(text))).toString(\"latin1\")"
  }
}

extension SecretText {
  /// An expression that Python and JavaScript read as the same text; only their variables differ.
  fileprivate func expression(_ variable: (_ name: String) -> String) -> String {
    let parts = parts.map { part in
      switch part {
      case .text(let text): text.quoted
      case .variable(let name): variable(name)
      }
    }
    return parts.isEmpty ? "\"\"" : parts.joined(separator: " + ")
  }
}

extension String {
  /// A literal that Python and JavaScript read as the same text.
  fileprivate var quoted: String {
    let content = unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case _
      where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
        || [0x2028, 0x2029, 0xFEFF].contains(scalar.value):
        "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
          + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(content.joined())\""
  }

  fileprivate var indented: String {
    split(separator: "\n").map { "  \($0)\n" }.joined()
  }
}
