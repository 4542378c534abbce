/// An error in one field of a document.
package struct FieldError: Error, Equatable, CustomStringConvertible {
  /// The field: "$.clock.mode", "$.subscribers[0].number".
  package let path: String
  /// What would have been right: "a string".
  package let expected: String
  /// The value in the document: "12", "an object", "nothing".
  package let found: String
  private let kind: Kind

  private static let readableLength = 300

  private enum Kind: Equatable {
    case wrongValue
    case missing
    case unknownField(nearest: String?)
    case unknownName
  }

  package init(path: String, expected: String, found: String) {
    self.init(path, expected, found, .wrongValue)
  }

  /// The error of a value; of a missing field if `found` is nil.
  package init(path: String, expected: String, found: JSON?) {
    self.init(path, expected, Self.text(of: found), found == nil ? .missing : .wrongValue)
  }

  /// The error of a value, with the one that was probably meant by a short text; then without a list of
  /// values that is too long to read.
  init(path: String, expected: String, found: JSON, meant: (String) -> String?) {
    if case .string(let text) = found, text.utf8.count <= 60, let name = meant(text) {
      let question = "\(Self.text(of: found)); did you mean \"\(name)\"?"
      if expected.utf8.count > Self.readableLength {
        self = .unknownName(path, "unknown value \(question)")
      } else {
        self.init(path: path, expected: expected, found: question)
      }
    } else {
      self.init(path: path, expected: expected, found: found)
    }
  }

  /// The error of a field that nobody reads; `nearest` is the most similar known name.
  package static func unknownField(_ path: String, nearest: String? = nil) -> FieldError {
    FieldError(path, "a known field", "an unknown one", .unknownField(nearest: nearest))
  }

  /// The error of a name that nothing has. The text names the nearest one: `unknown route "a"; did you mean
  /// "b"?`.
  package static func unknownName(_ path: String, _ text: String) -> FieldError {
    FieldError(path, "a known name", text, .unknownName)
  }

  private init(_ path: String, _ expected: String, _ found: String, _ kind: Kind) {
    self.path = path
    self.expected = expected
    self.found = found
    self.kind = kind
  }

  /// The same error in a document with a name: "accounts.json: $.account".
  package func inDocument(_ name: String) -> FieldError {
    FieldError("\(name): \(path)", expected, found, kind)
  }

  /// `$.clock.mode: expected one of real, frozen, offset; found "frzen"`.
  package var description: String {
    switch kind {
    case .wrongValue: "\(path): expected \(expected); found \(found)"
    case .missing: "\(path): missing; expected \(expected)"
    case .unknownName: "\(path): \(found)"
    case .unknownField(nil): "\(path): unknown field"
    case .unknownField(let nearest?): "\(path): unknown field; did you mean \"\(nearest)\"?"
    }
  }

  /// A scalar as in the document, long texts cut; otherwise the kind of the value.
  private static func text(of value: JSON?) -> String {
    switch value {
    case nil: "nothing"
    case .array: "an array"
    case .object: "an object"
    case .string(let text) where text.unicodeScalars.count > 60:
      String(
        decoding: JSON.string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))) + "…")
          .encoded(), as: UTF8.self)
    case .some(let scalar): String(decoding: scalar.encoded(), as: UTF8.self)
    }
  }
}
