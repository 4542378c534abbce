// Access that cannot end the process, for indices and lengths that come from outside or from a stored record.

extension RandomAccessCollection {
  /// The element at an index; nil outside of the collection.
  package subscript(safe index: Index) -> Element? {
    index >= startIndex && index < endIndex ? self[index] : nil
  }
}

extension Range where Bound: Comparable {
  /// Empty where the end is not after the start.
  @inlinable
  package init(_ start: Bound, upTo end: Bound) {
    self = start..<Swift.max(start, end)
  }
}
