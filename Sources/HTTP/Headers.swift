/// Header fields in their original order. Names ignore case; repeated names are kept.
///
/// Stored as the bytes of the wire (`Name: value\r\n` each). A head is copied once when it is read and once
/// when it is written.
package struct Headers: Sendable, Equatable {
  /// The position of one field in `bytes`.
  package struct Field: Sendable, Equatable {
    let name: Range<UInt32>
    let value: Range<UInt32>

    package init(name: Range<UInt32>, value: Range<UInt32>) {
      self.name = name
      self.value = value
    }
  }

  /// All lines as sent, without the empty line that ends a head.
  package private(set) var bytes: [UInt8]
  private(set) var fields: [Field]

  package init() {
    bytes = []
    fields = []
  }

  /// Uses the positions that a parser found in `bytes`.
  package init(bytes: [UInt8], fields: [Field]) {
    self.bytes = bytes
    self.fields = fields
  }

  package var count: Int { fields.count }

  /// Reserves memory once, instead of growing with each added field.
  package mutating func reserve(_ byteCount: Int, fields fieldCount: Int) {
    bytes.reserveCapacity(byteCount)
    fields.reserveCapacity(fieldCount)
  }

  /// Appends a field. Control characters in the value are dropped, so a value cannot start a new line.
  package mutating func add(_ name: String, _ value: String) {
    var (name, value) = (name, value)
    let nameStart = UInt32(bytes.count)
    name.withUTF8 { bytes.append(contentsOf: $0) }
    let nameEnd = UInt32(bytes.count)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
    let valueStart = UInt32(bytes.count)
    value.withUTF8 { value in
      if value.allSatisfy({ $0.isAllowedInFieldValue }) {
        bytes.append(contentsOf: value)
      } else {
        bytes.append(contentsOf: value.filter { $0.isAllowedInFieldValue })
      }
    }
    let valueEnd = UInt32(bytes.count)
    bytes.append(0x0D)
    bytes.append(0x0A)
    fields.append(Field(name: nameStart..<nameEnd, value: valueStart..<valueEnd))
  }

  /// Gives the fields of this name one value, at the place of the first; without any, at the end.
  package mutating func replace(_ name: String, with value: String) {
    var (replaced, isPresent): (Headers, Bool) = ([:], false)
    for field in pairs {
      guard field.name.lowercased() == name.lowercased() else {
        replaced.add(field.name, field.value)
        continue
      }
      if !isPresent { replaced.add(field.name, value) }
      isPresent = true
    }
    if !isPresent { replaced.add(name, value) }
    self = replaced
  }

  /// Appends a field that a parser has checked.
  mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    let nameStart = UInt32(bytes.count)
    bytes.append(contentsOf: name)
    let nameEnd = UInt32(bytes.count)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
    let valueStart = UInt32(bytes.count)
    bytes.append(contentsOf: value)
    let valueEnd = UInt32(bytes.count)
    bytes.append(0x0D)
    bytes.append(0x0A)
    fields.append(Field(name: nameStart..<nameEnd, value: valueStart..<valueEnd))
  }

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

  /// The first value of this name, without a copy.
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

  /// All fields as text, in order.
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
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (name, value) in elements { add(name, value) }
  }
}

extension UInt8 {
  /// The lower-case form of an ASCII letter; other bytes are unchanged.
  var lowered: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

  /// False for control characters other than tab (RFC 9110, 5.5).
  fileprivate var isAllowedInFieldValue: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
