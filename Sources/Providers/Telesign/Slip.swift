import Crypto
import HTTP
import JSON
import ProviderKit

/// A mistake in signing by hand that others have made before: what the client has signed instead. Found by
/// making it again; so the journal shows the two strings side by side. Source: contract 15, what users report.
struct Slip {
  /// The mistake in words.
  let mistake: String
  /// The string that was signed.
  let received: [UInt8]

  /// The mistake behind a signature, where it is one of those known here.
  static func find(
    behind signature: String, of parts: Digest.Parts, keys: [String], _ hash: HMAC.Hash, in request: Request
  ) -> Slip? {
    let slips = ofLines(parts) + ofHeaders(parts, in: request) + ofPath(parts, in: request) + ofBody(parts)
    for key in keys {
      let bytes = Base64.decodeForgiving(key)
      for slip in slips where signed(slip.received, bytes, hash) == signature { return slip }
      if let slip = ofKey(key, bytes, parts.joined(), signature, hash) { return slip }
    }
    return nil
  }

  /// The two strings under each other, with a mark at the first difference.
  func report(_ expected: [UInt8]) -> String {
    guard expected != received else { return mistake }
    let (ours, theirs) = (Self.visible(expected), Self.visible(received))
    let place = zip(expected, received).prefix { $0 == $1 }.count
    let mark = String(repeating: " ", count: zip(ours, theirs).prefix { $0 == $1 }.count) + "^"
    return """
      \(mistake); the first difference is at byte \(place + 1)
      expected: \(ours)
      received: \(theirs)
                \(mark)
      """
  }

  /// What there is to say where no known mistake gives the signature.
  static func unknown(_ expected: [UInt8], _ signature: String) -> String {
    """
    the signature is not of this string with this key, nor of it with a mistake that is known here
    expected: \(visible(expected))
    received: a signature of something else, \(signature)
    """
  }

  /// Text in one line.
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

  private static func ofKey(
    _ key: String, _ bytes: [UInt8], _ message: [UInt8], _ signature: String, _ hash: HMAC.Hash
  ) -> Slip? {
    if signed(message, Array(key.utf8), hash) == signature {
      return Slip(
        mistake: "the key was used as text; its base64 has to be decoded first", received: message)
    }
    let digest = HMAC.authenticate(message, key: bytes, hash)
    if signature.lowercased() == Hex.encode(digest) {
      return Slip(mistake: "the signature is in hexadecimal; it has to be base64", received: message)
    }
    let other: HMAC.Hash = hash == .sha1 ? .sha256 : .sha1
    guard signed(message, bytes, other) == signature else { return nil }
    return Slip(mistake: "signed with another hash than x-ts-auth-method names", received: message)
  }

  private static func ofLines(_ parts: Digest.Parts) -> [Slip] {
    [
      Slip(mistake: "lines end in CR LF instead of LF", received: parts.joined(by: "\r\n")),
      Slip(mistake: "there is a line feed at the end", received: parts.joined() + [0x0A]),
      changing(parts, "the method is not in capitals") { $0.method = $0.method.lowercased() },
      changing(parts, "the date is left out though the request has it") { $0.date = "" },
      changing(parts, "the content type is left out though the request has it") { $0.contentType = "" },
      changing(parts, "the content type is signed without its parameters") {
        $0.contentType = String($0.contentType.prefix { $0 != ";" })
      },
    ]
  }

  private static func ofHeaders(_ parts: Digest.Parts, in request: Request) -> [Slip] {
    let sent = Digest.signedFields(of: request).map { "\($0.name):\($0.value)" }
    let whole = [
      changing(parts, "the x-ts headers are left out") { $0.headers = [] },
      changing(parts, "the x-ts headers are not in order") { $0.headers.reverse() },
      changing(parts, "the names of x-ts headers are not in small letters") { $0.headers = sent },
      changing(parts, "a space stands behind the colon of x-ts headers") {
        $0.headers = $0.headers.map(spaced)
      },
    ]
    let single = parts.headers.indices.flatMap { place in
      let name = parts.headers[place].prefix { $0 != ":" }
      return [
        changing(parts, "the line of \(name) is left out") { $0.headers.remove(at: place) },
        changing(parts, "a space stands behind the colon of \(name)") {
          $0.headers[place] = spaced($0.headers[place])
        },
      ]
    }
    return whole + single
  }

  private static func ofPath(_ parts: Digest.Parts, in request: Request) -> [Slip] {
    let hosts = [request.host] + TelesignProvider.hosts
    let urls = hosts.flatMap { ["https://\($0)", "http://\($0)"] }
    return [
      changing(parts, "the query is signed with the path") { $0.path += "?\(request.target.query)" },
      changing(parts, "a prefix is signed with the path") { $0.path = request.prefix + $0.path },
      changing(parts, "a prefix is signed with the path") { $0.path = "/\(TelesignProvider.name)\($0.path)" },
      changing(parts, "the path lacks its first slash") { $0.path = String($0.path.dropFirst()) },
      changing(parts, "the path has a slash too many at its end") { $0.path += "/" },
    ]
      + urls.map { url in
        changing(parts, "scheme and host are signed with the path") { $0.path = url + $0.path }
      }
  }

  private static func ofBody(_ parts: Digest.Parts) -> [Slip] {
    guard let body = parts.body else { return [] }
    let fields = body.split(separator: UInt8(ascii: "&")).map { String(decoding: $0, as: UTF8.self) }
    let texts: [(String, String?)] = [
      ("the form's fields are signed in order of their names", fields.sorted().joined(separator: "&")),
      ("the form's fields are signed in reverse", fields.reversed().joined(separator: "&")),
      ("the form is signed before it was encoded", PercentCoding.decode(body, plusIsSpace: true)),
      ("the JSON is signed without its spaces", compact(body)),
      ("the JSON is signed with other spaces than it was sent with", spaced(json: body)),
    ]
    let slips = texts.compactMap { mistake, text in
      text.map { text in changing(parts, mistake) { $0.body = Array(text.utf8) } }
    }
    return slips + [changing(parts, "an empty body is signed though one was sent") { $0.body = nil }]
  }

  private static func changing(
    _ parts: Digest.Parts, _ mistake: String, _ change: (inout Digest.Parts) -> Void
  ) -> Slip {
    var parts = parts
    change(&parts)
    return Slip(mistake: mistake, received: parts.joined())
  }

  private static func spaced(_ header: String) -> String {
    guard let colon = header.firstIndex(of: ":") else { return header }
    return "\(header[..<colon]): \(header[header.index(after: colon)...])"
  }

  private static func compact(_ body: [UInt8]) -> String? {
    (try? JSON(parsing: body)).map { String(decoding: $0.encoded(), as: UTF8.self) }
  }

  /// As Python's `json.dumps` writes it.
  private static func spaced(json body: [UInt8]) -> String? {
    guard let compact = compact(body) else { return nil }
    var (text, isString, isEscaped) = ("", false, false)
    for character in compact.unicodeScalars {
      text.unicodeScalars.append(character)
      if character == "\"", !isEscaped { isString.toggle() }
      isEscaped = character == "\\" && !isEscaped
      if !isString, character == "," || character == ":" { text += " " }
    }
    return text
  }
}
