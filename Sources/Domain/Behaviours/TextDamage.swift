/// What is wrong with a text on the handset.
package enum TextDamage: Equatable, Sendable {
  /// Question marks instead of digits.
  case garbled
  /// The code of an earlier message instead of the present one.
  case oldCode
  /// One part of a long text is missing: the one with the code, or the last one.
  case segmentLost
  /// It ends in the middle of its code, or half-way if it has none.
  case truncated
  /// Its bytes are read as UCS-2.
  case wrongEncoding

  /// The text as the handset shows it, and the code that a person reads there.
  func applied(
    to draft: MessageDraft, oldCode: () throws -> String
  ) rethrows -> (text: String, code: String?) {
    let text = draft.text
    switch self {
    case .garbled: return (String(text.map { $0.isNumber ? "?" : $0 }), nil)
    case .oldCode:
      guard let places = draft.places else { return (text, draft.code) }
      let code = try oldCode()
      return (text.replacing(places, with: code), code)
    case .segmentLost:
      var parts = TextEncoding.parts(of: text)
      let code = draft.places?.first ?? text.endIndex
      parts.remove(at: parts.firstIndex { code < $0.endIndex } ?? parts.count - 1)
      return (parts.joined(), nil)
    case .truncated:
      guard let places = draft.places else { return (String(text.prefix(text.count / 2)), nil) }
      return (String(text[..<places[places.count / 2]]), nil)
    case .wrongEncoding: return (text.readAsUCS2, nil)
    }
  }
}

extension MessageDraft {
  /// Where the characters of the code are in the text; nil if it has no code.
  var places: [String.Index]? { code.flatMap { $0.isEmpty ? nil : text.places(of: $0) } }
}

extension String {
  /// Where the characters of a code begin: one after the other, or with a separator in between, as in
  /// `123-456`. Nil if the text does not have them.
  fileprivate func places(of code: String) -> [Index]? {
    guard !code.isEmpty else { return nil }
    return indices.lazy.compactMap { self.places(of: code, from: $0) }.first
  }

  private func places(of code: String, from start: Index) -> [Index]? {
    var (places, index) = ([Index](), start)
    for character in code {
      if !places.isEmpty, index < endIndex, " -.\u{A0}".contains(self[index]) { formIndex(after: &index) }
      guard index < endIndex, self[index] == character else { return nil }
      places.append(index)
      formIndex(after: &index)
    }
    return places
  }

  /// Puts another code in the place of one: character by character, so that separators stay.
  fileprivate func replacing(_ places: [Index], with code: String) -> String {
    guard let first = places.first, let last = places.last else { return self }
    guard code.count == places.count else { return self[..<first] + code + self[index(after: last)...] }
    let new = Dictionary(uniqueKeysWithValues: zip(places, code))
    return String(indices.map { new[$0] ?? self[$0] })
  }

  /// The bytes of the text, two for each character.
  fileprivate var readAsUCS2: String {
    let bytes = Array(utf8)
    let units = stride(from: 0, to: bytes.count, by: 2).map { place -> UInt16 in
      let low = place + 1 < bytes.count ? bytes[place + 1] : UInt8(ascii: " ")
      return UInt16(bytes[place]) << 8 | UInt16(low)
    }
    return String(decoding: units, as: UTF16.self)
  }
}
