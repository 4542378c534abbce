import JSON

/// Searches texts for a value without regard to letter case.
package struct CaselessSearch {
  private let value: String
  private let search: ByteSearch
  private let isASCII: Bool

  package init(for value: String) {
    self.value = value.lowercased()
    search = ByteSearch(for: self.value)
    isASCII = value.utf8.allSatisfy { $0 < 0x80 }
  }

  package func isFound(in text: String) -> Bool {
    isASCII ? isFound(in: Array(text.utf8)) : search.isFound(in: Array(text.lowercased().utf8))
  }

  /// In UTF-8.
  package func isFound(in text: [UInt8]) -> Bool {
    guard isASCII else { return isFound(in: String(decoding: text, as: UTF8.self)) }
    return search.isFound(in: text.map(\.lowered))
  }
}
