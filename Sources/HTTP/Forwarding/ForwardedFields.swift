import JSON

/// What one proxy says about the request that it got.
struct ForwardedHop: Equatable {
  /// Nil if the proxy does not tell it: `unknown`, or a made-up name such as `_hidden`.
  var address: IPAddress?
  /// `http` or `https`.
  var scheme: String?
  /// The `Host` field.
  var host: String?
}

/// Reads `Forwarded` (RFC 7239) and the older `X-Forwarded-For`, `-Proto` and `-Host`.
///
/// Clients can send these fields too, so each value is checked, and whatever is malformed says nothing.
enum ForwardedFields {
  /// Oldest first, as in the fields: each proxy appends what it knows.
  static func standard(_ headers: Headers) -> [ForwardedHop] {
    var hops: [ForwardedHop] = []
    for value in headers.values("Forwarded") {
      // Before a malformed line, nothing is known about the way.
      if let line = Elements.parse(value) { hops += line } else { hops = [ForwardedHop()] }
    }
    return hops
  }

  /// The same of the older fields. A list that is shorter than the others belongs to the newest hops.
  static func older(_ headers: Headers) -> [ForwardedHop] {
    let addresses = list(headers.values("X-Forwarded-For"))
    let schemes = list(headers.values("X-Forwarded-Proto"))
    let hosts = list(headers.values("X-Forwarded-Host"))
    let count = min(max(addresses.count, schemes.count, hosts.count), hopLimit)
    return (0..<count).reversed().map { age in
      ForwardedHop(
        address: addresses.dropLast(age).last.flatMap { IPAddress(withPort: $0) },
        scheme: schemes.dropLast(age).last.flatMap(scheme), host: hosts.dropLast(age).last.flatMap(host))
    }
  }

  /// More proxies than this between a client and the server are not followed.
  static let hopLimit = 20
  /// A longer `Forwarded` line is malformed. In bytes.
  fileprivate static let lineLimit = 4_096

  private static func list(_ values: [String]) -> [Substring] {
    values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map(\.trimmed)
  }

  fileprivate static func scheme(_ text: some StringProtocol) -> String? {
    let scheme = text.lowercased()
    return scheme == "http" || scheme == "https" ? scheme : nil
  }

  fileprivate static func host(_ text: some StringProtocol) -> String? {
    Authority(text).map(\.description)
  }
}

/// The elements of one `Forwarded` line: `for=192.0.2.43;proto=https, for="[2001:db8::1]:4711"`.
private struct Elements {
  private var rest: Substring

  /// Nil for a malformed line.
  static func parse(_ text: String) -> [ForwardedHop]? {
    guard text.utf8.count <= ForwardedFields.lineLimit else { return nil }
    var elements = Elements(rest: text[...])
    var hops: [ForwardedHop] = []
    repeat {
      guard let hop = elements.nextHop() else { return nil }
      hops.append(hop)
    } while elements.take(",")
    return elements.rest.isEmpty ? hops : nil
  }

  private mutating func nextHop() -> ForwardedHop? {
    var hop = ForwardedHop()
    var names: Set<String> = []
    repeat {
      skipSpaces()
      guard let name = token()?.lowercased(), names.insert(name).inserted, take("="),
        let value = quotedText() ?? token()
      else { return nil }
      switch name {
      case "for": hop.address = IPAddress(withPort: value)
      case "proto": hop.scheme = ForwardedFields.scheme(value)
      case "host": hop.host = ForwardedFields.host(value)
      default: break
      }
      skipSpaces()
    } while take(";")
    return hop
  }

  private mutating func skipSpaces() { rest = rest.drop { $0 == " " || $0 == "\t" } }

  private mutating func take(_ sign: Character) -> Bool {
    guard rest.first == sign else { return false }
    rest.removeFirst()
    return true
  }

  /// RFC 9110, 5.6.2. Colons and brackets are allowed too: many proxies send addresses without quotes.
  private mutating func token() -> String? {
    let text = rest.prefix { sign in
      sign.isASCII && (sign.isLetter || sign.isNumber || "!#$%&'*+-.^_`|~:[]".contains(sign))
    }
    rest = rest[text.endIndex...]
    return text.isEmpty ? nil : String(text)
  }

  /// RFC 9110, 5.6.4. Nil, and nothing is read, if no quoted text follows.
  private mutating func quotedText() -> String? {
    guard rest.first == "\"" else { return nil }
    var text = ""
    var position = rest.index(after: rest.startIndex)
    while position < rest.endIndex {
      if rest[position] == "\"" {
        rest = rest[rest.index(after: position)...]
        return text
      }
      if rest[position] == "\\" {
        position = rest.index(after: position)
        guard position < rest.endIndex else { return nil }
      }
      text.append(rest[position])
      position = rest.index(after: position)
    }
    return nil
  }
}

extension Substring {
  /// Without spaces and tabs around it.
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return start }
    return start[...last]
  }
}
