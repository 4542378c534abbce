import ProviderKit

/// The type of a protocol buffer's field, as JSON has it.
/// Source: https://protobuf.dev/programming-guides/json/, read 2026-11-21
indirect enum ProtobufType: Sendable {
  case string
  case bool
  /// 32 bits, as a number or as a text of digits.
  case integer
  case number
  /// A name of the list in either case, or its index.
  case enumeration(name: String, [String])
  /// `3.5s`.
  case duration
  /// RFC 3339.
  case time
  case stringMap
  /// Any object.
  case object
  case list(ProtobufType)
  case message(name: String, [Field])

  /// `name` is in camel case.
  typealias Field = (name: String, type: ProtobufType)

  /// The type in error messages.
  var name: String {
    switch self {
    case .string: "TYPE_STRING"
    case .bool: "TYPE_BOOL"
    case .integer: "TYPE_INT32"
    case .number: "TYPE_FLOAT"
    case .enumeration(let name, _), .message(let name, _):
      "type.googleapis.com/google.firebase.fcm.v1.\(name)"
    case .duration: "type.googleapis.com/google.protobuf.Duration"
    case .time: "type.googleapis.com/google.protobuf.Timestamp"
    case .stringMap: "map<string, string>"
    case .object: "type.googleapis.com/google.protobuf.Struct"
    case .list(let type): "repeated \(type.name)"
    }
  }
}

/// Reads JSON of a type and collects violations. The result has field names in camel case, and the names of
/// enumeration values.
struct ProtobufReader {
  /// At most `violationLimit`.
  private(set) var violations: [Violation] = []
  /// Where the value is that is read: names in camel case, and indices such as `[1]`.
  private var path: [String] = []

  private static let violationLimit = 100

  private var hasRoom: Bool { violations.count < Self.violationLimit }

  /// The path as errors write it: `message.android.notification.body_loc_args[1]`.
  private var place: String {
    path.reduce("") { $0 + ($0.isEmpty || $1.hasPrefix("[") ? "" : ".") + $1.snakeCase }
  }

  /// Nil for `null` and for values of another type.
  mutating func read(_ json: JSON, as type: ProtobufType) -> JSON? {
    guard json != .null else { return nil }
    switch (type, json) {
    case (.string, .string), (.bool, .bool), (.object, .object), (.number, .integer), (.number, .double):
      return json
    case (.integer, .integer), (.integer, .double):
      guard let number = json.wholeNumber.flatMap({ Int32(exactly: $0) }) else {
        return reject(json, type.name)
      }
      return .integer(Int64(number))
    case (.integer, .string(let digits)): return readInteger(digits)
    case (.enumeration(let name, let values), .string), (.enumeration(let name, let values), .integer):
      return readEnumeration(json, of: values, name)
    case (.duration, .string(let text)): return readDuration(text)
    case (.time, .string(let text)) where Timestamp(iso8601: text) != nil: return json
    case (.stringMap, .object(let members)): return readStringMap(members)
    case (.list(let type), .array(let items)): return readList(items, of: type)
    case (.message(_, let fields), .object(let members)): return readMessage(members, fields)
    default: return reject(json, type.name)
    }
  }

  private mutating func readList(_ items: [JSON], of type: ProtobufType) -> JSON {
    .array(
      items.enumerated().compactMap { index, item in
        path.append("[\(index)]")
        defer { path.removeLast() }
        return read(item, as: type)
      })
  }

  private mutating func readMessage(_ members: [JSON.Member], _ fields: [ProtobufType.Field]) -> JSON {
    var read: [JSON.Member] = []
    for member in members {
      let named = fields.first { $0.name == member.name }
      guard let field = named ?? fields.first(where: { $0.name.snakeCase == member.name }) else {
        let at = path.isEmpty ? "" : " at '\(place)'"
        addViolation(
          "Invalid JSON payload received. Unknown name \"\(member.name)\"\(at): Cannot find field.")
        continue
      }
      path.append(field.name)
      defer { path.removeLast() }
      guard !read.contains(where: { $0.name == field.name }) else {
        addViolation("Invalid value at '\(place)': the field is there twice")
        continue
      }
      guard let value = self.read(member.value, as: field.type) else { continue }
      read.append(.init(name: field.name, value: value))
    }
    return .object(read)
  }

  private mutating func readStringMap(_ members: [JSON.Member]) -> JSON {
    for (index, member) in members.enumerated() {
      if case .string = member.value { continue }
      path += ["[\(index)]", "value"]
      _ = reject(member.value, ProtobufType.string.name)
      path.removeLast(2)
    }
    return .object(members)
  }

  private mutating func readInteger(_ text: String) -> JSON? {
    Int32(text).map { .integer(Int64($0)) } ?? reject(.string(text), ProtobufType.integer.name)
  }

  private mutating func readEnumeration(_ json: JSON, of values: [String], _ name: String) -> JSON? {
    switch json {
    case .string(let text) where values.contains(text.uppercased()): return .string(text.uppercased())
    case .integer(let index): return values[safe: Int(index)].map { .string($0) } ?? reject(json, name)
    default: return reject(json, name)
    }
  }

  private mutating func readDuration(_ text: String) -> JSON? {
    if ProtobufDuration.isValid(text) { return .string(text) }
    let place = place
    addViolation(
      "Invalid value at '\(place)' (\(ProtobufType.duration.name)), "
        + "Field '\(place.split(separator: ".").last ?? "")', "
        + "Illegal duration format; duration must end with 's'")
    return nil
  }

  private mutating func reject(_ json: JSON, _ type: String) -> JSON? {
    guard hasRoom else { return nil }
    let excerpt = String(decoding: json.encoded().prefix(100), as: UTF8.self)
    addViolation("Invalid value at '\(place)' (\(type)), \(excerpt)")
    return nil
  }

  private mutating func addViolation(_ description: String) {
    if hasRoom { violations.append(Violation(field: place, description: description)) }
  }
}

/// A duration as protocol buffers write it: seconds with up to nine decimals, then `s`.
enum ProtobufDuration {
  static func isValid(_ text: String) -> Bool { milliseconds(text) != nil }

  /// Nil for any other text.
  static func milliseconds(_ text: String) -> Int? {
    guard text.utf8.last == UInt8(ascii: "s") else { return nil }
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = text.utf8.dropLast().dropFirst(isNegative ? 1 : 0)
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? Substring(parts[1]) : "0"
    guard (1...2).contains(parts.count), (1...12).contains(parts[0].count),
      (1...9).contains(decimals.utf8.count),
      parts.allSatisfy({ $0.allSatisfy(\.isDigit) }), let seconds = Int(Substring(parts[0])),
      let fraction = Int((decimals + "00").prefix(3))
    else { return nil }
    return (isNegative ? -1 : 1) * (seconds * 1000 + fraction)
  }
}

extension String {
  /// `collapse_key` for `collapseKey`.
  fileprivate var snakeCase: String {
    var snake: [UInt8] = []
    for byte in utf8 {
      let isUppercase = byte.isLetter && byte & 0x20 == 0
      if isUppercase { snake.append(UInt8(ascii: "_")) }
      snake.append(isUppercase ? byte | 0x20 : byte)
    }
    return String(decoding: snake, as: UTF8.self)
  }
}
