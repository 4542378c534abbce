extension String {
  /// Texts one behind the other, in memory that is taken once.
  package init(joining parts: String...) {
    // Appending part by part takes three times as long.
    self.init(unsafeUninitializedCapacity: parts.reduce(0) { $0 + $1.utf8.count }) { memory in
      var end = memory.startIndex
      for var part in parts {
        end = part.withUTF8 { memory[end...].update(fromContentsOf: $0) }
      }
      return end
    }
  }

  /// UTF-8 as text, nil for other bytes; mostly they are ASCII, and the general check takes five times as long.
  package init?(utf8 bytes: ArraySlice<UInt8>) {
    if bytes.allSatisfy({ $0 < 0x80 }) {
      self.init(decoding: bytes, as: UTF8.self)
    } else {
      self.init(validating: bytes, as: UTF8.self)
    }
  }
}
