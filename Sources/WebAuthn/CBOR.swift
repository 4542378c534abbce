/// A CBOR item (RFC 8949), as far as authenticators use them.
indirect enum CBOR: Hashable {
  case integer(Int64)
  case bytes([UInt8])
  case text(String)
  case array([CBOR])
  case map([CBOR: CBOR])
  /// Simple values, floating-point numbers and integers beyond 64 bits with a sign.
  case other

  /// Deeper items are invalid. WebAuthn needs four levels.
  private static let depthLimit = 8
  /// Longer inputs are invalid: real ones have a few hundred bytes, and certificates a few thousand.
  static let sizeLimit = 64 << 10

  /// Decodes one item. Nil for invalid bytes, items of indefinite length and tags, which CTAP2 rules out,
  /// repeated names of a map, and bytes after the item.
  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    guard let item = Self.take(from: &rest), rest.isEmpty else { return nil }
    self = item
  }

  /// Decodes the item at the start of `bytes`, and removes it from them.
  static func take(from bytes: inout ArraySlice<UInt8>) -> CBOR? {
    guard bytes.count <= sizeLimit else { return nil }
    return take(from: &bytes, depth: 0)
  }

  private static func take(from bytes: inout ArraySlice<UInt8>, depth: Int) -> CBOR? {
    guard depth < depthLimit, let token = Token.take(from: &bytes) else { return nil }
    switch token {
    case .integer(let number): return .integer(number)
    case .bytes(let bytes): return .bytes(bytes)
    case .text(let text): return .text(text)
    case .other: return .other
    case .array(let count):
      // Each item has at least one byte, so the count is bounded before it is used.
      guard count <= bytes.count else { return nil }
      var items: [CBOR] = []
      for _ in 0..<count {
        guard let item = take(from: &bytes, depth: depth + 1) else { return nil }
        items.append(item)
      }
      return .array(items)
    case .map(let count):
      guard count <= bytes.count / 2 else { return nil }
      var members: [CBOR: CBOR] = [:]
      for _ in 0..<count {
        guard let name = take(from: &bytes, depth: depth + 1),
          let value = take(from: &bytes, depth: depth + 1), members.updateValue(value, forKey: name) == nil
        else { return nil }
      }
      return .map(members)
    }
  }

  /// The value under a name; nil unless the item is a map that has it.
  subscript(name: CBOR) -> CBOR? {
    guard case .map(let members) = self else { return nil }
    return members[name]
  }

  var bytes: [UInt8]? {
    guard case .bytes(let bytes) = self else { return nil }
    return bytes
  }

  var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  var integer: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }
}

/// The head of an item, with the content of texts and numbers. Source: RFC 8949, 3.
private enum Token {
  case integer(Int64)
  case bytes([UInt8])
  case text(String)
  case array(Int)
  case map(Int)
  case other

  /// Nil for invalid bytes, indefinite lengths and tags.
  static func take(from bytes: inout ArraySlice<UInt8>) -> Token? {
    guard let head = bytes.popFirst(), let argument = argument(head & 0x1f, &bytes) else { return nil }
    switch head >> 5 {
    case 0: return Int64(exactly: argument).map(integer) ?? .other
    // -1 - n is written as n.
    case 1: return Int64(exactly: argument).map { integer(-1 - $0) } ?? .other
    case 2: return content(argument, &bytes).map { Token.bytes(Array($0)) }
    case 3: return content(argument, &bytes).flatMap { String(validating: $0, as: UTF8.self) }.map(text)
    case 4: return Int(exactly: argument).map(array)
    case 5: return Int(exactly: argument).map(map)
    case 7: return .other
    default: return nil
    }
  }

  /// A number, the length of what follows, or how many items follow.
  private static func argument(_ detail: UInt8, _ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    guard detail >= 24 else { return UInt64(detail) }
    guard detail < 28, let number = content(1 << UInt64(detail - 24), &bytes) else { return nil }
    return number.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func content(
    _ length: UInt64, _ bytes: inout ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    guard length <= bytes.count else { return nil }
    defer { bytes = bytes.dropFirst(Int(length)) }
    return bytes.prefix(Int(length))
  }
}
