internal import CLinux

/// Searches texts for a value. The time grows with the length of the text, whatever both contain.
package struct ByteSearch: Sendable {
  private let value: [UInt8]

  package init(for value: some Sequence<UInt8>) { self.value = Array(value) }

  package init(for value: String) { self.init(for: value.utf8) }

  package func isFound(in text: [UInt8]) -> Bool { place(in: text, from: 0) != nil }

  /// The first place with the value, at an offset or after it.
  package func place(in text: [UInt8], from offset: Int) -> Range<Int>? {
    guard offset + value.count <= text.count else { return nil }
    guard !value.isEmpty else { return offset..<offset }
    return text.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = memmem(start + offset, bytes.count - offset, value, value.count)
      else { return nil }
      let index = UnsafeRawPointer(found) - start
      return index..<(index + value.count)
    }
  }
}
