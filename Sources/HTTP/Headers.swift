/// Header fields in the order they came; names are compared without case, repeated names are kept.
///
/// Kept as the bytes of the wire (`Name: value\r\n` each), so that a head is copied once when it is
/// read and once when it is written.
package struct Headers: Sendable, Equatable {
  /// Where one field stands in `bytes`.
  package struct Field: Sendable, Equatable {
    let name: Range<UInt32>
    let value: Range<UInt32>

    /// A field whose name and value stand at these offsets.
    package init(name: Range<UInt32>, value: Range<UInt32>) {
      self.name = name
      self.value = value
    }
  }

  /// All lines as they go over the wire, without the empty line that ends a head.
  package private(set) var bytes: [UInt8]
  private var fields: [Field]

  /// No fields.
  package init() {
    bytes = []
    fields = []
  }

  /// Fields that a parser has found in `bytes`.
  package init(bytes: [UInt8], fields: [Field]) {
    self.bytes = bytes
    self.fields = fields
  }

  /// How many fields there are.
  package var count: Int { fields.count }

  /// Makes room for so many bytes of lines and so many fields, so that adding them does not grow step by step.
  package mutating func reserve(_ byteCount: Int, fields fieldCount: Int) {
    bytes.reserveCapacity(byteCount)
    fields.reserveCapacity(fieldCount)
  }

  /// Appends a field; control characters in the value are left out, so no value can start a line.
  package mutating func add(_ name: String, _ value: String) {
    var (name, value) = (name, value)
    let nameStart = UInt32(bytes.count)
    name.withUTF8 { bytes.append(contentsOf: $0) }
    let nameEnd = UInt32(bytes.count)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
    let valueStart = UInt32(bytes.count)
    value.withUTF8 { value in
      if value.allSatisfy({ $0.mayStandInFieldValue }) {
        bytes.append(contentsOf: value)
      } else {
        bytes.append(contentsOf: value.filter { $0.mayStandInFieldValue })
      }
    }
    let valueEnd = UInt32(bytes.count)
    bytes.append(0x0D)
    bytes.append(0x0A)
    fields.append(Field(name: nameStart..<nameEnd, value: valueStart..<valueEnd))
  }

  /// Appends all fields of another head.
  package mutating func append(_ other: Headers) {
    let shift = UInt32(bytes.count)
    bytes.append(contentsOf: other.bytes)
    for field in other.fields {
      fields.append(
        Field(
          name: field.name.lowerBound + shift..<field.name.upperBound + shift,
          value: field.value.lowerBound + shift..<field.value.upperBound + shift))
    }
  }

  /// The bytes of the first value of this name, without a copy.
  package func bytes(of name: StaticString) -> ArraySlice<UInt8>? {
    for field in fields where matches(field, name) {
      return bytes[Int(field.value.lowerBound)..<Int(field.value.upperBound)]
    }
    return nil
  }

  /// The value of the first field of this name.
  package subscript(name: StaticString) -> String? {
    bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The values of all fields of this name, in order.
  package func values(_ name: StaticString) -> [String] {
    fields.filter { matches($0, name) }.map { text($0.value) }
  }

  /// Every field as text, in order.
  package var pairs: [(name: String, value: String)] {
    fields.map { (text($0.name), text($0.value)) }
  }

  private func text(_ range: Range<UInt32>) -> String {
    String(decoding: bytes[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
  }

  private func matches(_ field: Field, _ name: StaticString) -> Bool {
    guard field.name.count == name.utf8CodeUnitCount else { return false }
    let start = Int(field.name.lowerBound)
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return bytes.withUnsafeBufferPointer { bytes in
      for offset in 0..<wanted.count where bytes[start + offset].lowered != wanted[offset].lowered {
        return false
      }
      return true
    }
  }
}

extension Headers: ExpressibleByDictionaryLiteral {
  /// Fields written in the source, in that order.
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (name, value) in elements { add(name, value) }
  }
}

extension UInt8 {
  /// The lower-case form of an ASCII letter; any other byte as it is.
  var lowered: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

  /// Anything but control characters; a tab may (RFC 9110, 5.5).
  fileprivate var mayStandInFieldValue: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
