import Domain
import JSON

extension FCM {
  /// What a field of a protocol buffer holds when it is written in JSON.
  /// Source: https://protobuf.dev/programming-guides/json/, read 2026-11-21
  indirect enum Shape: Sendable {
    /// A text.
    case string
    /// `true` or `false`.
    case bool
    /// A whole number of 32 bits, or its digits.
    case integer
    /// A number.
    case number
    /// A word of a list, in either case, or its place in the list.
    case word(type: String, [String])
    /// A span: `3.5s`.
    case duration
    /// A time in RFC 3339.
    case time
    /// An object of texts.
    case texts
    /// Any object.
    case object
    /// Any number of these.
    case list(Shape)
    /// A message.
    case message(type: String, [Field])

    /// A field of a message, by its name in camel case.
    typealias Field = (name: String, shape: Shape)
  }

  /// Reads JSON by a shape: names in snake case are written in camel case, numbers of words as words, and what does not
  /// fit is noted.
  struct ShapeReader {
    /// What did not fit, in the vendor's words.
    private(set) var violations: [Violation] = []

    /// The value as its shape has it; nil for `null` and for what does not fit.
    mutating func read(_ json: JSON, as shape: Shape, at path: String) -> JSON? {
      guard json != .null else { return nil }
      switch (shape, json) {
      case (.string, .string), (.bool, .bool), (.object, .object), (.number, .integer), (.number, .double):
        return json
      case (.integer, .integer(let number)) where Int32(exactly: number) != nil: return json
      case (.integer, .string(let digits)): return digitsOf(digits, at: path)
      case (.word(let type, let words), .string), (.word(let type, let words), .integer):
        return word(json, of: words, type, at: path)
      case (.duration, .string(let text)): return duration(text, at: path)
      case (.time, .string(let text)) where Timestamp(iso8601: text) != nil: return json
      case (.texts, .object(let members)): return texts(members, at: path)
      case (.list(let shape), .array(let items)):
        return .array(items.enumerated().compactMap { read($1, as: shape, at: "\(path)[\($0)]") })
      case (.message(_, let fields), .object(let members)): return message(members, fields, at: path)
      default: return refuse(json, shape.typeName, at: path)
      }
    }

    private mutating func message(
      _ members: [JSON.Member], _ fields: [Shape.Field], at path: String
    ) -> JSON {
      var read: [JSON.Member] = []
      for member in members {
        guard let field = fields.first(where: { $0.name == member.name || $0.name.snakeCase == member.name })
        else {
          let place = path.isEmpty ? "" : " at '\(path)'"
          note(
            path, "Invalid JSON payload received. Unknown name \"\(member.name)\"\(place): Cannot find field."
          )
          continue
        }
        let place = (path.isEmpty ? "" : path + ".") + field.name.snakeCase
        guard let value = self.read(member.value, as: field.shape, at: place) else { continue }
        read.append(.init(name: field.name, value: value))
      }
      return .object(read)
    }

    private mutating func texts(_ members: [JSON.Member], at path: String) -> JSON {
      for (place, member) in members.enumerated() {
        if case .string = member.value { continue }
        _ = refuse(member.value, Shape.string.typeName, at: "\(path)[\(place)].value")
      }
      return .object(members)
    }

    private mutating func digitsOf(_ text: String, at path: String) -> JSON? {
      Int32(text).map { .integer(Int64($0)) } ?? refuse(.string(text), Shape.integer.typeName, at: path)
    }

    private mutating func word(_ json: JSON, of words: [String], _ type: String, at path: String) -> JSON? {
      switch json {
      case .string(let text) where words.contains(text.uppercased()): return .string(text.uppercased())
      case .integer(let place) where words.indices.contains(Int(place)): return .string(words[Int(place)])
      default: return refuse(json, type, at: path)
      }
    }

    private mutating func duration(_ text: String, at path: String) -> JSON? {
      if Span.isOne(text) { return .string(text) }
      note(
        path,
        "Invalid value at '\(path)' (\(Shape.duration.typeName)), Field '\(path.split(separator: ".").last ?? "")', "
          + "Illegal duration format; duration must end with 's'")
      return nil
    }

    private mutating func refuse(_ json: JSON, _ type: String, at path: String) -> JSON? {
      let shown = String(decoding: json.encoded().prefix(100), as: UTF8.self)
      note(path, "Invalid value at '\(path)' (\(type)), \(shown)")
      return nil
    }

    private mutating func note(_ field: String, _ description: String) {
      violations.append(Violation(field: field, description: description))
    }
  }

  /// A span of time as protocol buffers write it.
  enum Span {
    /// Whether a text is one: seconds with up to nine decimals, and an `s`.
    static func isOne(_ text: String) -> Bool { milliseconds(text) != nil }

    /// Its whole milliseconds; nil for any other text.
    static func milliseconds(_ text: String) -> Int? {
      guard text.utf8.last == UInt8(ascii: "s") else { return nil }
      let isNegative = text.utf8.first == UInt8(ascii: "-")
      let parts = text.dropLast().dropFirst(isNegative ? 1 : 0)
        .split(separator: ".", omittingEmptySubsequences: false)
      let decimals = parts.count == 2 ? parts[1] : "0"
      guard (1...2).contains(parts.count), (1...12).contains(parts[0].utf8.count),
        (1...9).contains(decimals.utf8.count),
        parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(parts[0]),
        let fraction = Int((decimals + "00").prefix(3))
      else { return nil }
      return (isNegative ? -1 : 1) * (seconds * 1000 + fraction)
    }
  }
}

extension FCM.Shape {
  /// What the vendor calls it.
  var typeName: String {
    switch self {
    case .string: "TYPE_STRING"
    case .bool: "TYPE_BOOL"
    case .integer: "TYPE_INT32"
    case .number: "TYPE_FLOAT"
    case .word(let type, _), .message(let type, _): "type.googleapis.com/google.firebase.fcm.v1.\(type)"
    case .duration: "type.googleapis.com/google.protobuf.Duration"
    case .time: "type.googleapis.com/google.protobuf.Timestamp"
    case .texts: "map<string, string>"
    case .object: "type.googleapis.com/google.protobuf.Struct"
    case .list(let shape): "repeated \(shape.typeName)"
    }
  }
}

extension String {
  /// `collapse_key` for `collapseKey`.
  fileprivate var snakeCase: String {
    var snake = ""
    for character in unicodeScalars {
      if character.properties.isUppercase { snake += "_" }
      snake += String(character).lowercased()
    }
    return snake
  }
}
