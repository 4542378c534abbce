extension Fields {
  /// An object that must be there.
  package func object(_ name: String) throws(FieldError) -> Fields {
    try present(name, "an object", optionalObject(name))
  }

  /// An object, `nil` when absent or `null`.
  package func optionalObject(_ name: String) throws(FieldError) -> Fields? {
    switch read(name) {
    case nil, .null: return nil
    case .object: return try nested(name)?.first
    default: throw mismatch(name, expected: "an object")
    }
  }

  /// An array of objects that must be there.
  package func objects(_ name: String) throws(FieldError) -> [Fields] {
    try present(name, "an array of objects", optionalObjects(name))
  }

  /// An array of objects, `nil` when absent or `null`.
  package func optionalObjects(_ name: String) throws(FieldError) -> [Fields]? {
    switch read(name) {
    case nil, .null: return nil
    case .array: return try nested(name)
    default: throw mismatch(name, expected: "an array of objects")
    }
  }

  /// An array of texts that must be there.
  package func strings(_ name: String) throws(FieldError) -> [String] {
    try present(name, "an array of strings", optionalStrings(name))
  }

  /// An array of texts, `nil` when absent or `null`.
  package func optionalStrings(_ name: String) throws(FieldError) -> [String]? {
    switch read(name) {
    case nil, .null: return nil
    case .array(let items):
      var texts: [String] = []
      for (position, item) in items.enumerated() {
        guard case .string(let text) = item else {
          throw FieldError(path: "\(path).\(name)[\(position)]", expected: "a string", found: item)
        }
        texts.append(text)
      }
      return texts
    default: throw mismatch(name, expected: "an array of strings")
    }
  }
}
