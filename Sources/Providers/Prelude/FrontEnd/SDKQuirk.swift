import ProviderKit

/// A header field on the first redirect that tells SDKs how to make the next request. Source: contract 14.2.
struct SDKQuirk {
  /// `X-SDK-Quirk-TLS`, or `X-SDK-Quirk-Header-` and the name of a field.
  let name: String
  /// `host="*.carrier.example";value="text/html, */*"`, or several such directives with a comma and a space
  /// between.
  let value: String

  static let example =
    #"X-SDK-Quirk-TLS: host="*";version="1.2", or X-SDK-Quirk-Header-Accept: host="*";value="text/html""#

  /// The same rules as `init`, as a regular expression.
  static let pattern =
    #"^X-SDK-Quirk-(TLS: host="[ !#-~]+";version="1\.[23]"(, host="[ !#-~]+";version="1\.[23]")*"#
    + #"|Header-[0-9A-Za-z-]+: host="[ !#-~]+";value="[ !#-~]*"(, host="[ !#-~]+";value="[ !#-~]*")*)$"#

  /// Parses `name: value`; nil for anything that is not a quirk.
  init?(_ line: String) {
    guard let colon = line.firstRange(of: ": ") else { return nil }
    name = String(line[..<colon.lowerBound])
    value = String(line[colon.upperBound...])
    let isTLS = name == Self.tlsName
    let field = name.hasPrefix(Self.headerPrefix) ? name.dropFirst(Self.headerPrefix.count) : ""
    guard isTLS || !field.isEmpty && field.utf8.allSatisfy({ $0.isAlphanumeric || "-".utf8.contains($0) }),
      Self.areDirectives(value, isTLS ? "version" : "value")
    else { return nil }
  }

  private static let tlsName = "X-SDK-Quirk-TLS"
  private static let headerPrefix = "X-SDK-Quirk-Header-"

  /// True for one directive or more. iOS requires the quotes.
  private static func areDirectives(_ text: String, _ member: String) -> Bool {
    var rest = text[...]
    repeat {
      guard let host = quoted("host=", in: &rest), !host.isEmpty, skip(";", in: &rest),
        let value = quoted("\(member)=", in: &rest), member == "value" || value == "1.2" || value == "1.3"
      else { return false }
    } while skip(", ", in: &rest)
    return rest.isEmpty
  }

  private static func quoted(_ name: String, in rest: inout Substring) -> Substring? {
    guard skip("\(name)\"", in: &rest) else { return nil }
    let text = rest.prefix { $0 != "\"" }
    rest = rest[text.endIndex...]
    guard skip("\"", in: &rest), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return text
  }

  private static func skip(_ text: String, in rest: inout Substring) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }
}
