/// Language tags (BCP 47): `en`, `pt-BR`, `zh-Hant-TW`.
package enum LanguageTag {
  /// True for text of that form. `language`: how many letters the first part may have.
  package static func isValid(_ text: String, language: ClosedRange<Int> = 2...8) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return language.contains(parts[0].count) && parts[0].allSatisfy(\.isLetter)
      && parts.dropFirst().allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(\.isAlphanumeric) }
  }
}
