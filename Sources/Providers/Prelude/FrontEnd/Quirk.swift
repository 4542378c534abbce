import HTTP
import JSON
import ProviderKit

/// A header field on the first redirect by which SDKs are told how to make the next request. Source: contract 14.2.
struct Quirk {
  /// `X-SDK-Quirk-TLS`, or `X-SDK-Quirk-Header-` and the name of a field.
  let name: String
  /// `host="*.carrier.example";value="text/html, */*"`, or several of these with a comma and a space between.
  let value: String

  /// What such a line looks like.
  static let form =
    #"X-SDK-Quirk-TLS: host="*";version="1.2", or X-SDK-Quirk-Header-Accept: host="*";value="text/html""#

  /// Reads a line; nil where it is no quirk.
  init?(_ line: String) {
    guard let colon = line.firstRange(of: ": ") else { return nil }
    name = String(line[..<colon.lowerBound])
    value = String(line[colon.upperBound...])
    let field = name.hasPrefix(Self.headerPrefix) ? name.dropFirst(Self.headerPrefix.count) : nil
    guard name == Self.tls || field.map({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isOfName) }) ?? false,
      Self.areDirectives(value, name == Self.tls ? "version" : "value")
    else { return nil }
  }

  private static let tls = "X-SDK-Quirk-TLS"
  private static let headerPrefix = "X-SDK-Quirk-Header-"

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || byte == UInt8(ascii: "-")
  }

  /// Whether a text is one directive or more; iOS requires the quotes.
  private static func areDirectives(_ text: String, _ member: String) -> Bool {
    var rest = text[...]
    repeat {
      guard let host = quoted("host=", in: &rest), !host.isEmpty, take(";", from: &rest),
        let said = quoted("\(member)=", in: &rest), member == "value" || said == "1.2" || said == "1.3"
      else { return false }
    } while take(", ", from: &rest)
    return rest.isEmpty
  }

  private static func quoted(_ name: String, in rest: inout Substring) -> Substring? {
    guard take("\(name)\"", from: &rest) else { return nil }
    let text = rest.prefix { $0 != "\"" }
    rest = rest[text.endIndex...]
    guard take("\"", from: &rest), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return text
  }

  private static func take(_ text: String, from rest: inout Substring) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }
}
