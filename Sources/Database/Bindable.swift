/// What may stand for a parameter of a statement; a type with one stored form joins by passing that on.
@usableFromInline
package protocol Bindable {
  /// Gives the parameter the form in which the value is stored.
  func bind(to parameter: Parameter)
}

extension Optional: Bindable where Wrapped: Bindable {
  /// NULL for `nil`.
  @inlinable
  package func bind(to parameter: Parameter) {
    if let self { self.bind(to: parameter) } else { parameter.bindNull() }
  }
}

extension Int: Bindable {
  /// An integer.
  @inlinable
  package func bind(to parameter: Parameter) { parameter.bind(integer: Int64(self)) }
}

extension Int64: Bindable {
  /// An integer.
  @inlinable
  package func bind(to parameter: Parameter) { parameter.bind(integer: self) }
}

extension Bool: Bindable {
  /// The integer 1 or 0.
  @inlinable
  package func bind(to parameter: Parameter) { parameter.bind(integer: self ? 1 : 0) }
}

extension Double: Bindable {
  /// A real; SQLite keeps a NaN as NULL.
  @inlinable
  package func bind(to parameter: Parameter) { parameter.bind(real: self) }
}

extension String: Bindable {
  /// A text.
  @inlinable
  package func bind(to parameter: Parameter) { parameter.bind(text: self) }
}

extension [UInt8]: Bindable {
  /// A blob.
  @inlinable
  package func bind(to parameter: Parameter) { parameter.bind(blob: self) }
}

/// A text whose UTF-8 bytes the caller vouches for: JSON, mostly.
@usableFromInline
package struct UTF8Text: Bindable {
  private let bytes: [UInt8]

  /// The text of these bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A text.
  @usableFromInline
  package func bind(to parameter: Parameter) {
    bytes.withUnsafeBytes { parameter.bind(utf8: $0) }
  }
}

/// The SQL value NULL, where it stands in the source.
@usableFromInline
package enum Null: Bindable {
  /// The one there is.
  case null

  /// NULL.
  @inlinable
  package func bind(to parameter: Parameter) { parameter.bindNull() }
}
