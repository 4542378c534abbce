import Markup
import ProviderKit

/// A body, secrets masked: JSON folded and coloured, a form as a list of fields, other text as it is. Of a
/// large one, the beginning as text.
struct BodyView {
  /// In bytes. More is for programs.
  static let sizeLimit = 1 << 15
  /// Of fields in a form, and of values in JSON.
  private static let partLimit = 2_000

  private let text: String
  private let isForm: Bool

  init(_ text: String, isForm: Bool) {
    self.text = text
    self.isForm = isForm
  }

  var html: HTML {
    let fields = isForm ? text.utf8.split(separator: UInt8(ascii: "&"), maxSplits: Self.partLimit) : []
    return HTML {
      if text.isEmpty {
        p(.class("empty")) { "No body." }
      } else if text.utf8.count > Self.sizeLimit {
        pre { Self.beginning(of: text) }
        Self.rest(of: text)
      } else if let json = try? JSON(parsing: Array(text.utf8), limits: .init(values: Self.partLimit)) {
        div(.class("json")) { JSONView(json).html }
      } else if isForm, fields.count <= Self.partLimit {
        dl(.class("facts form")) {
          for pair in fields {
            let parts = pair.split(
              separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            dt { VisibleText(Self.decoded(parts.first ?? pair)).html }
            dd { VisibleText(parts.count > 1 ? Self.decoded(parts[1]) : "").html }
          }
        }
      } else {
        pre { text }
      }
    }
  }

  static func beginning(of text: String) -> String {
    guard text.utf8.count > sizeLimit else { return text }
    return String(text.unicodeScalars[..<text.utf8.index(text.startIndex, offsetBy: sizeLimit)])
  }

  /// Says where the rest of a large text is.
  static func rest(of text: String) -> HTML {
    let missing = text.utf8.count - sizeLimit
    return HTML {
      if missing > 0 {
        p(.class("help")) {
          "These are the first \(sizeLimit) bytes. \(missing) more are in the control API."
        }
      }
    }
  }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    PercentCoding.decode(Array(text), plusIsSpace: true) ?? String(Substring(text))
  }
}

/// JSON for reading: objects and arrays can be folded.
struct JSONView {
  private let json: JSON
  /// `"name": ` before the value; nil in an array.
  private let name: String?
  /// False after the last value of an object or array.
  private let hasComma: Bool

  /// Larger objects and arrays are folded at first.
  private static let unfoldedSize = 50

  init(_ json: JSON, name: String? = nil, hasComma: Bool = false) {
    self.json = json
    self.name = name
    self.hasComma = hasComma
  }

  var html: HTML {
    switch json {
    case .object(let members) where !members.isEmpty:
      block("{", "}", members.map { (name: $0.name, value: $0.value) })
    case .array(let items) where !items.isEmpty: block("[", "]", items.map { (name: nil, value: $0) })
    default:
      div(.class("json-line")) {
        label
        span(.class(kind)) { text }
        if hasComma { "," }
      }
    }
  }

  private var label: HTML {
    HTML {
      if let name {
        span(.class("json-name")) { JSON.string(name).text }
        ": "
      }
    }
  }

  /// Blanks at the ends of a string are marked, as in a form.
  private var text: String {
    let text = json.text.showingInvisible()
    guard case .string(let value) = json, value.first == " " || value.last == " " else { return text }
    let inner = text.dropFirst().dropLast()
    let start = inner.prefix { $0 == " " }.count
    let end = start == inner.count ? 0 : inner.reversed().prefix { $0 == " " }.count
    let marks = { (count: Int) in String(repeating: "␣", count: count) }
    return "\"\(marks(start))\(inner.dropFirst(start).dropLast(end))\(marks(end))\""
  }

  private var kind: String {
    switch json {
    case .string: "json-string"
    case .integer, .double: "json-number"
    default: "json-word"
    }
  }

  private func block(_ start: String, _ end: String, _ entries: [(name: String?, value: JSON)]) -> HTML {
    details(.init(flag: "open", entries.count <= Self.unfoldedSize)) {
      summary {
        label
        start
        span(.class("json-folded")) { " \(entries.count) … \(end)\(hasComma ? "," : "")" }
      }
      div(.class("json-block")) {
        for (index, entry) in entries.enumerated() {
          JSONView(entry.value, name: entry.name, hasComma: index < entries.count - 1).html
        }
      }
      div(.class("json-line")) { end + (hasComma ? "," : "") }
    }
  }
}

extension JSON {
  var text: String { String(decoding: encoded(), as: UTF8.self) }
}
