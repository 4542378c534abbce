import ProviderKit

/// An answer that is JSON or XML, as the path says. Source: contract 9.
struct LegacyAnswer {
  indirect enum Member {
    case text(String, String)
    case optional(String, String?)
    /// In JSON an array under the first name, in XML elements with the second one in it.
    case list(String, element: String, [[Member]])
  }

  private let root: String
  private let members: [Member]

  /// `root` is the element of XML.
  init(_ root: String, _ members: [Member]) {
    self.root = root
    self.members = members
  }

  func response(_ status: Status = 200, isXML: Bool) -> Response {
    guard isXML else { return .json(status) { Self.write(members, to: &$0) } }
    return Self.document(status, Self.element(root, Self.xml(members)))
  }

  /// XML with this element.
  static func document(_ status: Status, _ root: String) -> Response {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(root)\n"
    return Response(
      status, headers: ["Content-Type": "text/xml; charset=utf-8"], body: Array(text.utf8))
  }

  private static func write(_ members: [Member], to json: inout JSONWriter) {
    for member in members {
      switch member {
      case .text(let name, let value): json.member(named: name, value)
      case .optional(let name, let value): if let value { json.member(named: name, value) }
      case .list(let name, _, let items):
        let encoded = JSONWriter.array(items) { json, item in json.value { write(item, to: &$0) } }
        json.member(named: name, encoded: encoded)
      }
    }
  }

  private static func xml(_ members: [Member]) -> String {
    members.map { member in
      switch member {
      case .text(let name, let value): element(name, escaped(value))
      case .optional(let name, let value): value.map { element(name, escaped($0)) } ?? ""
      case .list(let name, let item, let items):
        element(name, items.map { element(item, xml($0)) }.joined())
      }
    }.joined()
  }

  static func element(_ name: String, _ content: String) -> String {
    "<\(name)>\(content)</\(name)>"
  }

  /// Text without characters that XML gives a meaning, or does not allow.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\t", "\n", "\r": String(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: "\u{FFFD}"
      default: String(scalar)
      }
    }.joined()
  }
}
