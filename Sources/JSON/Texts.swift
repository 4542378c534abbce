/// Texts under names, in the order they came.
package struct Texts: Equatable, Sendable {
  /// The names with their texts.
  package let pairs: [(name: String, text: String)]

  /// Texts under names.
  package init(_ pairs: [(name: String, text: String)] = []) {
    self.pairs = pairs
  }

  /// The text under a name.
  package subscript(name: String) -> String? { pairs.first { $0.name == name }?.text }

  /// Writes them as an object.
  package func write(to json: inout JSONWriter) {
    for pair in pairs { json.member(named: pair.name, pair.text) }
  }

  /// Whether the same texts stand under the same names in the same order.
  package static func == (one: Texts, other: Texts) -> Bool {
    one.pairs.elementsEqual(other.pairs, by: ==)
  }
}

extension Fields {
  /// An object whose members are all texts; none when it is absent or `null`.
  package func texts(_ name: String) throws(FieldError) -> Texts {
    guard let object = try optionalObject(name) else { return Texts() }
    var pairs: [(name: String, text: String)] = []
    for member in object.names { pairs.append((member, try object.string(member))) }
    return Texts(pairs)
  }
}
