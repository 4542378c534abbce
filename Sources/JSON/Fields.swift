/// A JSON object being read by a program: it remembers which members were asked for and names the path of
/// what is wrong. A class, because nested readers report back what they left unread.
package final class Fields {
  /// Where this object stands in its document: "$", "$.clock".
  package let path: String
  private let members: [JSON.Member]
  private var wasRead: [Bool]
  private var nested: [Int: [Fields]] = [:]

  /// Reads a document that must be one object.
  package convenience init(_ bytes: [UInt8]) throws(FieldError) {
    let json: JSON
    do throws(SyntaxError) {
      json = try JSON(parsing: bytes)
    } catch {
      let found = error.offset < bytes.count ? Self.words(for: bytes[error.offset]) : "the end"
      throw FieldError(path: "$", expected: "\(error.expected) at byte \(error.offset)", found: found)
    }
    try self.init(json)
  }

  /// Takes up an object that is parsed already.
  package init(_ json: JSON, path: String = "$") throws(FieldError) {
    guard case .object(let members) = json else {
      throw FieldError(path: path, expected: "an object", found: json)
    }
    self.path = path
    self.members = members
    self.wasRead = Array(repeating: false, count: members.count)
  }

  /// The names of all members, in document order; asking for them reads none.
  package var names: [String] { members.map(\.name) }

  /// Whether the member is there, be it `null`; counts as reading it.
  package func has(_ name: String) -> Bool { read(name) != nil }

  /// The dotted paths of all members never asked for, in document order, nested objects included.
  package var unread: [String] {
    members.indices.flatMap { index in
      wasRead[index]
        ? nested[index, default: []].flatMap(\.unread) : [relative(path(of: members[index].name))]
    }
  }

  /// An error about one member of this object, for a reader that finds its value wrong.
  package func mismatch(_ name: String, expected: String) -> FieldError {
    FieldError(path: path(of: name), expected: expected, found: value(name))
  }

  /// The value of a member, now read; `null` counts as one.
  func read(_ name: String) -> JSON? {
    guard let index = index(of: name) else { return nil }
    wasRead[index] = true
    return members[index].value
  }

  /// A reader for each object under a member, the same ones each time; `nil` when one of them is no object.
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
    nested[index] = readers
    return readers
  }

  /// A byte as it looks if it looks like anything: "}", otherwise 0x09.
  private static func words(for byte: UInt8) -> String {
    switch byte {
    case 0x21...0x7E: "\"\(Unicode.Scalar(byte))\""
    default: "0x" + Hex.encode(CollectionOfOne(byte))
    }
  }

  private func value(_ name: String) -> JSON? {
    index(of: name).map { members[$0].value }
  }

  private func index(of name: String) -> Int? {
    members.firstIndex { $0.name == name }
  }

  private func path(of name: String) -> String { "\(path).\(name)" }

  private func relative(_ path: String) -> String {
    path.hasPrefix("$.") ? String(path.dropFirst(2)) : path
  }
}
