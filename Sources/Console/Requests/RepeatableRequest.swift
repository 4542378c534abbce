import Control
import Crypto
import ProviderKit

/// What programs of all languages send to repeat a recorded request; each language only writes it down.
/// Secrets are variables, with the names of `ringfence env` where they have one.
struct RepeatableRequest {
  typealias Field = (name: String, value: SecretText)

  enum Body {
    case none
    case text(SecretText)
    /// What no text of a program can have.
    case bytes([UInt8])
  }

  let method: String
  let url: SecretText
  private(set) var fields: [Field] = []
  /// For HTTP Basic.
  private(set) var credentials: (name: SecretText, password: SecretText)?
  let body: Body
  /// True if a client would follow the answer.
  let isRedirected: Bool
  /// In which way it differs from the recorded request.
  private(set) var note: String?
  private let secrets: SecretNamer

  /// Set by clients, or meaningful for one connection only. In lower case.
  private static let omittedFields: Set<String> = [
    "content-length", "connection", "accept-encoding", "proxy-connection", "proxy-authorization",
    "transfer-encoding", "expect",
  ]

  /// `url` is the base URL of the sandbox.
  init(
    _ masked: MaskedExchange, at url: String, _ variables: [ProviderVariable],
    insteadOfSignature replacement: (credentials: BasicAuthentication, signedFields: Set<String>)?
  ) {
    let exchange = masked.exchange
    secrets = SecretNamer(variables)
    method = exchange.method
    // The path selects the sandbox, as `url` does.
    let origin = AbsoluteURL(url)?.origin ?? url
    let base = exchange.target.hasPrefix("/s/") ? origin : url
    self.url = secrets.text(base + masked.target, of: base + exchange.target)
    body = Self.body(masked, secrets)
    isRedirected = 300...399 ~= exchange.status
    let lines = String(decoding: exchange.requestHead, as: UTF8.self).split(separator: "\r\n")
    for (line, shown) in zip(lines, masked.requestHead) {
      let name = String(line.prefix { $0 != ":" })
      let value = String(line.dropFirst(name.count + 1).drop { $0 == " " })
      let isOmitted =
        Self.omittedFields.contains(name.lowercased())
        || replacement?.signedFields.contains(name.lowercased()) ?? false
        || name.lowercased() == "host" && !(Self.isProvider(value, of: exchange, at: url))
      if isOmitted { continue }
      if name.lowercased() == "authorization",
        let basic = replacement?.credentials ?? BasicAuthentication(["Authorization": value])
      {
        credentials = (secrets.text(ofName: basic.name), secrets.text(ofSecret: basic.password, "PASSWORD"))
      } else {
        fields.append((name, secrets.text(ofField: name, value, shown: shown)))
      }
    }
    let size = exchange.bodySizes.request
    let notes = [
      replacement == nil ? nil : "HTTP Basic instead of the signature, which was valid only once.",
      size > BodyView.sizeLimit ? "no body: that of the request has \(size) bytes." : nil,
    ].compactMap(\.self)
    note = notes.isEmpty ? nil : notes.joined(separator: " Copies have ")
  }

  /// Fields of one name as one field, for languages that have one value for each name.
  var combinedFields: [Field] {
    fields.reduce(into: []) { combined, field in
      if let place = combined.firstIndex(where: { $0.name.lowercased() == field.name.lowercased() }) {
        combined[place].value = combined[place].value + SecretText(", ") + field.value
      } else {
        combined.append(field)
      }
    }
  }

  func has(_ name: String) -> Bool { fields.contains { $0.name.lowercased() == name } }

  /// A provider's host name is kept, because it decides which routes there are.
  private static func isProvider(_ host: String, of exchange: Journal.Exchange, at url: String) -> Bool {
    guard !exchange.owner.isEmpty, let own = AbsoluteURL(url)?.host else { return false }
    return ![own, "127.", "localhost", "["].contains { host.hasPrefix($0) }
  }

  private static func body(_ masked: MaskedExchange, _ secrets: SecretNamer) -> Body {
    let size = masked.exchange.bodySizes.request
    if size == 0 || size > BodyView.sizeLimit { return .none }
    let bytes = masked.exchange.requestBody
    let text = masked.requestBody
    // A shell has no text with a zero byte.
    let isText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    return isText || text.contains(Masking.mark)
      ? .text(secrets.text(text, of: String(decoding: bytes, as: UTF8.self))) : .bytes(bytes)
  }
}

/// A text of a program, in which secrets are environment variables.
struct SecretText {
  enum Part {
    case text(String)
    case variable(String)
  }

  let parts: [Part]

  init(_ parts: [Part]) {
    self.parts = parts.reduce(into: []) { parts, part in
      if case .text(let text) = part, case .text(let earlier)? = parts.last {
        parts[parts.count - 1] = .text(earlier + text)
      } else {
        parts.append(part)
      }
    }.filter { if case .text("") = $0 { false } else { true } }
  }

  init(_ text: String) { self.init([.text(text)]) }

  static func + (left: SecretText, right: SecretText) -> SecretText { SecretText(left.parts + right.parts) }

  var isASCII: Bool {
    parts.allSatisfy { if case .text(let text) = $0 { text.utf8.allSatisfy { $0 < 0x80 } } else { true } }
  }
}

private struct SecretNamer {
  private let variables: [ProviderVariable]

  init(_ variables: [ProviderVariable]) { self.variables = variables }

  /// A masked text: each mark becomes the variable that is named like its field. In a text without secrets,
  /// marks are text.
  func text(_ masked: String, of original: String) -> SecretText {
    if masked == original { return SecretText(masked) }
    let pieces = masked.split(separator: Masking.mark, omittingEmptySubsequences: false)
    return SecretText(
      pieces.enumerated().flatMap { index, piece -> [SecretText.Part] in
        [.text(String(piece))] + (index < pieces.count - 1 ? [.variable(name(before: piece))] : [])
      })
  }

  /// The value of a header field. A hidden credential that is known becomes its variable.
  func text(ofField name: String, _ value: String, shown line: String) -> SecretText {
    let shown = String(line.dropFirst(name.count + 1).drop { $0 == " " })
    let secret = value.split(separator: " ").last.map(String.init) ?? ""
    guard shown != value, shown.hasSuffix(Masking.mark) else { return text(shown, of: value) }
    let start = SecretText.Part.text(String(shown.dropLast(Masking.mark.count)))
    return SecretText([start, .variable(variable(of: secret) ?? self.name(before: name[...]))])
  }

  func text(ofName name: String) -> SecretText {
    variable(of: name).map { SecretText([.variable($0)]) } ?? SecretText(name)
  }

  func text(ofSecret secret: String, _ fallback: String) -> SecretText {
    SecretText([.variable(variable(of: secret) ?? fallback)])
  }

  private func variable(of value: String) -> String? {
    value.isEmpty ? nil : variables.first { $0.value == value }?.name
  }

  /// The variable for the masked value after a text such as `…&client_secret=` or `…"client_secret":"`.
  private func name(before text: Substring) -> String {
    let isPart = { (character: Character) in character.isASCII && (character.isLetter || character.isNumber) }
    let letters = text.reversed().drop { !isPart($0) }.prefix { isPart($0) || $0 == "_" || $0 == "-" }
    let field = String(letters.reversed())
    let plain = Self.plain(field)
    if !plain.isEmpty, let known = variables.first(where: { Self.plain($0.name).hasSuffix(plain) }) {
      return known.name
    }
    let name = String(field.uppercased().map { $0 == "-" ? "_" : $0 })
    return name.first?.isNumber ?? true ? "SECRET" : name
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
