import Crypto
import ProviderKit

/// A common mistake of clients that sign without an SDK. It is found by making it: the signature then
/// matches. Source: contract 15, what users report.
struct SigningMistake {
  let description: String
  let signedString: [UInt8]

  /// The known mistake that leads to `signature`; nil if there is none.
  static func find(
    explaining signature: String, _ parts: Digest.Parts, keys: [String], _ hash: HMAC.Hash,
    in request: Request
  ) -> SigningMistake? {
    let mistakes =
      lineMistakes(parts) + headerMistakes(parts, in: request) + pathMistakes(parts, in: request)
      + bodyMistakes(parts)
    for key in keys {
      let bytes = Base64.decodeForgiving(key)
      for mistake in mistakes where signed(mistake.signedString, bytes, hash) == signature { return mistake }
      if let mistake = keyMistake(key, bytes, parts.joined(), signature, hash) { return mistake }
    }
    let bytes = keys.map { Base64.decodeForgiving($0) }
    for order in FieldOrders(of: parts.body ?? [], hashedBy: keys.count).bodies {
      let mistake = changing(parts, "the body is signed with its fields in another order") { $0.body = order }
      if bytes.contains(where: { signed(mistake.signedString, $0, hash) == signature }) { return mistake }
    }
    return nil
  }

  /// The two strings, one below the other, with a mark at the first difference.
  func report(_ expected: [UInt8]) -> String {
    let description = description.contains("signature") ? description : "wrong signature: \(description)"
    guard expected != signedString else { return description }
    let (ours, theirs) = (Self.visible(expected), Self.visible(signedString))
    let place = zip(expected, signedString).prefix { $0 == $1 }.count
    let mark = String(repeating: " ", count: zip(ours, theirs).prefix { $0 == $1 }.count) + "^"
    return """
      \(description); the first difference is at byte \(place + 1)
      expected: \(ours)
      received: \(theirs)
                \(mark)
      """
  }

  /// The report if no known mistake leads to the signature.
  static func unknownMistake(_ expected: [UInt8], _ signature: String) -> String {
    """
    signature mismatch, and no known signing mistake explains it
    to sign: \(visible(expected))
    received signature: \(signature)
    """
  }

  /// The text in one line, with line breaks and tabs escaped.
  private static func visible(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: String(scalar)
      }
    }.joined()
  }

  private static func signed(_ message: [UInt8], _ key: [UInt8], _ hash: HMAC.Hash) -> String {
    Base64.encode(HMAC.authenticate(message, key: key, hash))
  }

  private static func keyMistake(
    _ key: String, _ bytes: [UInt8], _ message: [UInt8], _ signature: String, _ hash: HMAC.Hash
  ) -> SigningMistake? {
    if signed(message, Array(key.utf8), hash) == signature {
      return SigningMistake(
        description: "the key was used as text; decode its base64 first", signedString: message)
    }
    let digest = HMAC.authenticate(message, key: bytes, hash)
    if signature.lowercased() == Hex.encode(digest) {
      return SigningMistake(
        description: "the signature is in hexadecimal; encode it as base64", signedString: message)
    }
    let other: HMAC.Hash = hash == .sha1 ? .sha256 : .sha1
    guard signed(message, bytes, other) == signature else { return nil }
    return SigningMistake(
      description: "signed with another hash than x-ts-auth-method names", signedString: message)
  }

  private static func lineMistakes(_ parts: Digest.Parts) -> [SigningMistake] {
    [
      SigningMistake(description: "lines end in CR LF instead of LF", signedString: parts.joined(by: "\r\n")),
      SigningMistake(
        description: "there is a line feed after the last line", signedString: parts.joined() + [0x0A]),
      changing(parts, "the method is not in upper case") { $0.method = $0.method.lowercased() },
      changing(parts, "the date is left out, but the request has one") { $0.date = "" },
      changing(parts, "the content type is left out, but the request has one") { $0.contentType = "" },
      changing(parts, "the content type is signed without its parameters") {
        $0.contentType = String($0.contentType.prefix { $0 != ";" })
      },
    ]
  }

  private static func headerMistakes(_ parts: Digest.Parts, in request: Request) -> [SigningMistake] {
    let sent = Digest.signedFields(of: request).map { "\($0.name):\($0.value)" }
    let whole = [
      changing(parts, "the x-ts headers are left out") { $0.headers = [] },
      changing(parts, "the x-ts headers are not in order") { $0.headers.reverse() },
      changing(parts, "the names of the x-ts headers are not in lower case") { $0.headers = sent },
      changing(parts, "there is a space after the colon of the x-ts headers") {
        $0.headers = $0.headers.map(addingSpace)
      },
    ]
    let single = parts.headers.indices.flatMap { place in
      let name = parts.headers[place].prefix { $0 != ":" }
      return [
        changing(parts, "the line of \(name) is left out") { $0.headers.remove(at: place) },
        changing(parts, "there is a space after the colon of \(name)") {
          $0.headers[place] = addingSpace($0.headers[place])
        },
      ]
    }
    return whole + single
  }

  private static func pathMistakes(_ parts: Digest.Parts, in request: Request) -> [SigningMistake] {
    let hosts = [request.host] + TelesignProvider.hosts
    let urls = hosts.flatMap { ["https://\($0)", "http://\($0)"] }
    return [
      changing(parts, "the query is signed with the path") { $0.path += "?\(request.target.query)" },
      changing(parts, "a prefix is signed with the path") { $0.path = "/\(TelesignProvider.name)\($0.path)" },
      changing(parts, "the path has no leading slash") { $0.path = String($0.path.dropFirst()) },
      changing(parts, "the path has an extra slash at its end") { $0.path += "/" },
      changing(parts, "the slash at the end of the path is not signed") {
        if $0.path.hasSuffix("/") { $0.path.removeLast() }
      },
    ]
      + urls.map { url in
        changing(parts, "scheme and host are signed with the path") { $0.path = url + $0.path }
      }
  }

  private static func bodyMistakes(_ parts: Digest.Parts) -> [SigningMistake] {
    guard let body = parts.body else { return [] }
    let fields = body.split(separator: UInt8(ascii: "&")).map { String(decoding: $0, as: UTF8.self) }
    let sorted = (try? JSON(parsing: body)).map { String(decoding: $0.sorted.encoded(), as: UTF8.self) }
    let texts: [(String, String?)] = [
      ("the form's fields are sorted by name before signing", fields.sorted().joined(separator: "&")),
      ("the form's fields are signed in reverse order", fields.reversed().joined(separator: "&")),
      ("the JSON's members are sorted by name before signing", sorted),
      ("the JSON's members are sorted by name before signing", sorted.map { withSpaces(Array($0.utf8)) }),
      ("the form is signed before it is encoded", PercentCoding.decode(body, plusIsSpace: true)),
      ("the JSON is signed without its spaces", compact(body)),
      (
        "the JSON is signed with other spaces than it was sent with",
        compact(body).map { withSpaces(Array($0.utf8)) }
      ),
    ]
    let mistakes = texts.compactMap { mistake, text in
      text.map { text in changing(parts, mistake) { $0.body = Array(text.utf8) } }
    }
    return mistakes + [changing(parts, "an empty body is signed, but the request has one") { $0.body = nil }]
  }

  private static func changing(
    _ parts: Digest.Parts, _ mistake: String, _ change: (inout Digest.Parts) -> Void
  ) -> SigningMistake {
    var parts = parts
    change(&parts)
    return SigningMistake(description: mistake, signedString: parts.joined())
  }

  private static func addingSpace(_ header: String) -> String {
    guard let colon = header.firstIndex(of: ":") else { return header }
    return "\(header[..<colon]): \(header[header.index(after: colon)...])"
  }

  private static func compact(_ body: [UInt8]) -> String? {
    (try? JSON(parsing: body)).map { String(decoding: $0.encoded(), as: UTF8.self) }
  }

  /// Compact JSON with spaces as Python's `json.dumps` writes it.
  static func withSpaces(_ compact: [UInt8]) -> String {
    var (text, isString, isEscaped) = ("", false, false)
    for character in String(decoding: compact, as: UTF8.self).unicodeScalars {
      text.unicodeScalars.append(character)
      if character == "\"", !isEscaped { isString.toggle() }
      isEscaped = character == "\\" && !isEscaped
      if !isString, character == "," || character == ":" { text += " " }
    }
    return text
  }
}

extension JSON {
  fileprivate var sorted: JSON {
    switch self {
    case .object(let members):
      .object(members.map { .init(name: $0.name, value: $0.value.sorted) }.sorted { $0.name < $1.name })
    case .array(let items): .array(items.map(\.sorted))
    default: self
    }
  }
}
