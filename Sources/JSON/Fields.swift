/// Reads the fields of a JSON object. It knows which fields were read, and its errors contain the path of the
/// field.
///
/// A class, so that an object knows which fields of its nested objects were read.
package final class Fields {
  /// The path of this object: "$", "$.clock".
  package let path: String
  private let members: [JSON.Member]
  /// The names of members whose earlier values do not count, in the whole document.
  private var repeated: [String] = []
  private var memberIndex = MemberIndex()
  private var wasRead: [Bool]
  private var nested: [Int: [Fields]] = [:]
  /// The names that were read but are not there; nil unless `explainUnread` was called.
  private var absentNames: [String]?
  /// What its reader has made of the object, to use it again when the object is read again.
  package var made: AnyObject?

  /// Parses a document that must be one object.
  package convenience init(
    _ bytes: [UInt8], limits: JSON.Limits = .standard, repeatedNames: JSON.RepeatedNames = .rejected
  ) throws(FieldError) {
    var parser = Parser(bytes, limits: limits, repeatedNames: repeatedNames)
    let json: JSON
    do throws(SyntaxError) {
      json = try parser.document()
    } catch {
      throw FieldError(error, in: bytes)
    }
    try self.init(json)
    repeated = parser.droppedNames.list
  }

  package init(_ json: JSON, path: String = "$") throws(FieldError) {
    guard case .object(let members) = json else {
      throw FieldError(path: path, expected: "an object", found: json)
    }
    self.path = path
    self.members = members
    self.wasRead = Array(repeating: false, count: members.count)
  }

  /// The number of fields. Does not mark them as read.
  package var count: Int { members.count }

  /// The names of all fields, in document order. Does not mark them as read.
  package var names: [String] { members.map(\.name) }

  /// True if the field is present, even if it is `null`. Marks it as read.
  package func has(_ name: String) -> Bool { read(name) != nil }

  /// The dotted paths of all fields not read, in document order, with those of nested objects.
  package var unread: [String] {
    var names = UnreadNames()
    collectUnread(&names)
    return names.list
  }

  package func collectUnread(_ names: inout UnreadNames) {
    for name in repeated { names.add(UnreadNames.repeated(name)) }
    for index in members.indices {
      if !wasRead[index] {
        names.add(relative(path(of: members[index].name)))
      } else if let objects = nested[index] {
        for object in objects { object.collectUnread(&names) }
      }
    }
  }

  /// From now on, the names of absent fields are remembered for `misspelt`.
  package func explainUnread() { absentNames = [] }

  /// The error for the first field that nobody has read and that is named like an absent one; nil if there is
  /// none. For readers without a schema.
  package var misspelt: FieldError? {
    for index in members.indices {
      if wasRead[index] {
        if let error = nested[index, default: []].lazy.compactMap(\.misspelt).first { return error }
      } else if let nearest = absentNames?.nearest(to: members[index].name) {
        return .unknownField(path(of: members[index].name), nearest: nearest)
      }
    }
    return nil
  }

  /// Throws if a field was not read, or is not in the schema: most likely it is a typing error.
  package func requireAllRead(of schema: ObjectSchema) throws(FieldError) {
    if let error = unknownField(in: schema) { throw error }
  }

  /// The error for the first name that is not in the schema; nil if all are.
  package func unknownName(in schema: ObjectSchema) -> FieldError? {
    names.first { name in !schema.members.contains { $0.name == name } }.map { unknownField($0, in: schema) }
  }

  private func unknownField(_ name: String, in schema: ObjectSchema?) -> FieldError {
    .unknownField(path(of: name), nearest: schema?.nearestMember(to: name))
  }

  private func unknownField(in schema: ObjectSchema?) -> FieldError? {
    for index in members.indices {
      let name = members[index].name
      let member = schema?.members.first { $0.name == name }
      guard wasRead[index], schema == nil || member != nil else {
        return unknownField(name, in: member == nil ? schema : nil)
      }
      for object in nested[index, default: []] {
        if let error = object.unknownField(in: member?.schema.object) { return error }
      }
    }
    return nil
  }

  /// The error for a field with a wrong value, or without a value.
  package func mismatch(_ name: String, expected: String) -> FieldError {
    FieldError(path: path(of: name), expected: expected, found: value(name))
  }

  /// The value of a field, which may be `null`. Marks it as read.
  func read(_ name: String) -> JSON? {
    guard let index = index(of: name) else {
      absentNames?.append(name)
      return nil
    }
    wasRead[index] = true
    return members[index].value
  }

  /// A reader for each object in a field, the same ones each time; `nil` when absent or `null`.
  func nested(_ name: String) throws(FieldError) -> [Fields]? {
    guard let index = index(of: name), members[index].value != .null else { return nil }
    wasRead[index] = true
    if let known = nested[index] { return known }
    var readers: [Fields] = []
    if case .array(let items) = members[index].value {
      for (position, item) in items.enumerated() {
        readers.append(try Fields(item, path: "\(path(of: name))[\(position)]"))
      }
    } else {
      readers.append(try Fields(members[index].value, path: path(of: name)))
    }
    if absentNames != nil { for reader in readers { reader.explainUnread() } }
    nested[index] = readers
    return readers
  }

  private func value(_ name: String) -> JSON? {
    index(of: name).map { members[$0].value }
  }

  private func index(of name: String) -> Int? {
    memberIndex.find(name, in: members)
  }

  func path(of name: String) -> String { "\(path).\(name)" }

  private func relative(_ path: String) -> String {
    path.hasPrefix("$.") ? String(path.dropFirst(2)) : path
  }
}

extension FieldError {
  /// The error of a document with a wrong byte. In one of several lines, its place is a line and a column.
  package init(_ error: SyntaxError, in bytes: [UInt8]) {
    let found = error.offset < bytes.count ? Self.text(of: bytes[error.offset]) : "the end"
    let earlier = bytes.prefix(error.offset)
    let line = earlier.count { $0 == 0x0A } + 1
    let place =
      earlier.lastIndex(of: 0x0A).map { "line \(line), column \(error.offset - $0)" }
      ?? "byte \(error.offset)"
    self.init(path: "$", expected: "\(error.expected) at \(place)", found: found)
  }

  /// A printable byte as it is: "}"; any other in hexadecimal: 0x09.
  private static func text(of byte: UInt8) -> String {
    switch byte {
    case 0x21...0x7E: "\"\(Unicode.Scalar(byte))\""
    default: "0x" + Hex.encode(CollectionOfOne(byte))
    }
  }
}
