internal import CCBOR

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
    case .unsupported: return nil
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

/// The head of an item, with the content of texts and numbers.
private enum Token {
  case integer(Int64)
  case bytes([UInt8])
  case text(String)
  case array(Int)
  case map(Int)
  case other
  /// Indefinite lengths, tags, and texts that are not UTF-8.
  case unsupported

  static func take(from bytes: inout ArraySlice<UInt8>) -> Token? {
    var token: Token?
    let result = bytes.withUnsafeBufferPointer { buffer in
      withUnsafeMutablePointer(to: &token) { target in
        withUnsafePointer(to: callbacks) {
          cbor_stream_decode(buffer.baseAddress, buffer.count, $0, UnsafeMutableRawPointer(target))
        }
      }
    }
    guard result.status == CBOR_DECODER_FINISHED, token != nil else { return nil }
    bytes = bytes.dropFirst(result.read)
    return token
  }

  private static func set(_ context: UnsafeMutableRawPointer?, _ token: Token) {
    context?.assumingMemoryBound(to: Token?.self).pointee = token
  }

  private static func unsigned(_ number: UInt64) -> Token { Int64(exactly: number).map(integer) ?? .other }

  /// CBOR has -1 - n as n.
  private static func negative(_ number: UInt64) -> Token {
    Int64(exactly: number).map { integer(-1 - $0) } ?? .other
  }

  private static func content(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
  }

  private static let callbacks: cbor_callbacks = {
    var table = cbor_empty_callbacks
    table.uint8 = { set($0, unsigned(UInt64($1))) }
    table.uint16 = { set($0, unsigned(UInt64($1))) }
    table.uint32 = { set($0, unsigned(UInt64($1))) }
    table.uint64 = { set($0, unsigned($1)) }
    table.negint8 = { set($0, negative(UInt64($1))) }
    table.negint16 = { set($0, negative(UInt64($1))) }
    table.negint32 = { set($0, negative(UInt64($1))) }
    table.negint64 = { set($0, negative($1)) }
    table.byte_string = { set($0, .bytes(content($1, $2))) }
    table.string = { set($0, String(validating: content($1, $2), as: UTF8.self).map(text) ?? .unsupported) }
    // Counts above 2^63 arrive as negative numbers.
    table.array_start = { set($0, $1 < 0 ? .unsupported : .array($1)) }
    table.map_start = { set($0, $1 < 0 ? .unsupported : .map($1)) }
    table.byte_string_start = { set($0, .unsupported) }
    table.string_start = { set($0, .unsupported) }
    table.indef_array_start = { set($0, .unsupported) }
    table.indef_map_start = { set($0, .unsupported) }
    table.indef_break = { set($0, .unsupported) }
    table.tag = { context, _ in set(context, .unsupported) }
    table.float2 = { context, _ in set(context, .other) }
    table.float4 = { context, _ in set(context, .other) }
    table.float8 = { context, _ in set(context, .other) }
    table.boolean = { context, _ in set(context, .other) }
    table.null = { set($0, .other) }
    table.undefined = { set($0, .other) }
    return table
  }()
}
