import Control
import Crypto
import Domain
import HTTP
import ProviderKit

/// A request as a command for a shell. Secrets are variables, with the names of `ringfence env` where they
/// have one.
struct CurlCommand {
  private let masked: MaskedExchange
  private var exchange: Journal.Exchange { masked.exchange }
  private let url: String
  private let variables: [ProviderVariable]

  /// Set by curl, or meaningful for one connection only. In lower case.
  private static let omittedFields: Set<String> = [
    "host", "content-length", "connection", "accept-encoding", "proxy-connection", "proxy-authorization",
    "transfer-encoding", "expect",
  ]

  /// `url` is the base URL of the sandbox.
  init(_ exchange: MaskedExchange, at url: String, _ variables: [ProviderVariable]) {
    masked = exchange
    self.url = url
    self.variables = variables
  }

  var text: String {
    var words = ["curl"]
    let body = masked.requestBody
    if exchange.method != (body.isEmpty ? "GET" : "POST") { words[0] += " -X \(exchange.method)" }
    words[0] += " \(word(address))"
    words += fields
    if !body.isEmpty { words.append("--data-raw \(word(body))") }
    return words.joined(separator: " \\\n  ")
  }

  /// Under this server's address. The path selects the sandbox, as `url` does.
  private var address: String {
    let origin = AbsoluteURL(url)?.origin ?? url
    return exchange.target.hasPrefix("/s/") ? origin + exchange.shownTarget : url + exchange.shownTarget
  }

  private var fields: [String] {
    let lines = String(decoding: exchange.requestHead, as: UTF8.self).split(separator: "\r\n")
    return zip(lines, masked.requestHead).compactMap { line, shown in
      let name = line.prefix { $0 != ":" }.lowercased()
      let value = line.dropFirst(name.count + 1).drop { $0 == " " }
      if name == "host" { return hostField(value) }
      if Self.omittedFields.contains(name) { return nil }
      if name == "authorization", let credentials = basicCredentials(value) { return "-u \(credentials)" }
      return "-H \(word(line == shown ? shown : maskedField(name, value, shown)))"
    }
  }

  /// Keeps a provider's host name, because it decides which routes there are.
  private func hostField(_ value: Substring) -> String? {
    guard !exchange.owner.isEmpty, let own = AbsoluteURL(url)?.host, !value.hasPrefix(own),
      !value.hasPrefix("127."), !value.hasPrefix("localhost"), !value.hasPrefix("[")
    else { return nil }
    return "-H \(word("Host: \(value)"))"
  }

  /// `"$USER:$PASSWORD"`; nil for another scheme.
  private func basicCredentials(_ value: Substring) -> String? {
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic", let last = parts.last,
      let bytes = Base64.decode(String(last))
    else { return nil }
    let pair = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1)
    let names = zip(pair, ["USER", "PASSWORD"]).map { text, fallback in
      let known = variable(of: String(text))
      return fallback == "USER" && known == nil ? String(text) : "$\(known ?? fallback)"
    }
    return "\"\(names.joined(separator: ":"))\""
  }

  /// A header line whose value is masked: a credential becomes its variable.
  private func maskedField(_ name: String, _ value: Substring, _ masked: String) -> String {
    let secret = value.split(separator: " ").last.map(String.init) ?? ""
    guard let known = variable(of: secret) else { return masked }
    return masked.replacing(Masking.mark, with: "\u{0}\(known)\u{0}")
  }

  private func variable(of value: String) -> String? {
    value.isEmpty ? nil : variables.first { $0.value == value }?.name
  }

  /// Quotes a text for the shell. A masked value becomes the variable that is named like its field; a known
  /// variable is between zero bytes.
  private func word(_ text: String) -> String {
    var words: [String] = []
    let pieces = text.split(separator: Masking.mark, omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      for (place, part) in piece.split(separator: "\u{0}", omittingEmptySubsequences: false).enumerated() {
        if place.isMultiple(of: 2) {
          if !part.isEmpty || pieces.count == 1 { words.append(String(part).shellQuoted) }
        } else {
          words.append("\"$\(part)\"")
        }
      }
      if index < pieces.count - 1 { words.append("\"$\(name(before: piece))\"") }
    }
    return words.joined()
  }

  /// The variable for the masked value after a text such as `…&client_secret=` or `…"client_secret":"`.
  private func name(before text: Substring) -> String {
    let letters = text.reversed().drop { !$0.isLetter && !$0.isNumber }
      .prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    let field = String(letters.reversed())
    let plain = Self.plain(field)
    if !plain.isEmpty, let known = variables.first(where: { Self.plain($0.name).hasSuffix(plain) }) {
      return known.name
    }
    let name = field.uppercased().map { $0 == "-" ? "_" : $0 }
    return name.isEmpty ? "SECRET" : String(name)
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
