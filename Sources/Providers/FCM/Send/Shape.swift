import ProviderKit

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

extension Shape {
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
