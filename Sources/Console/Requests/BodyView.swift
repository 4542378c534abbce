import HTTP
import JSON
import Markup

/// A body, secrets masked: JSON folded and coloured, a form as a list of fields, other text as it is.
struct BodyView {
  private let text: String
  private let isForm: Bool

  init(_ text: String, isForm: Bool) {
    self.text = text
    self.isForm = isForm
  }

  var html: HTML {
    HTML {
      if text.isEmpty {
        p(.class("empty")) { "No body." }
      } else if let json = try? JSON(parsing: Array(text.utf8)) {
        div(.class("json")) { JSONView(json).html }
      } else if isForm {
        dl(.class("facts form")) {
          for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            dt { Self.decoded(parts.first ?? "") }
            dd { Self.decoded(parts.dropFirst().first ?? "") }
          }
        }
      } else {
        pre { text }
      }
    }
  }

  private static func decoded(_ text: Substring) -> String {
    PercentCoding.decode(Array(text.utf8), plusIsSpace: true) ?? String(text)
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
        span(.class(kind)) { json.text }
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
