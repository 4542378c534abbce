/// How a text is encoded in text messages: its alphabet and its number of parts. Source: `carrier.md` 1.1.
package struct TextEncoding: Equatable, Sendable {
  package enum Alphabet: String, CaseIterable, Sendable { case gsm7, ucs2 }

  package let alphabet: Alphabet
  /// Charged parts.
  package let segments: Int

  /// `alphabet`: the sender's choice, if it has all characters; nil: the smallest.
  package init(of text: String, in alphabet: Alphabet? = nil) {
    let (alphabet, starts) = Self.encode(text, in: alphabet)
    self.alphabet = alphabet
    segments = starts.count
  }

  /// The parts of a text, in order.
  package static func parts(of text: String) -> [Substring] {
    let scalars = text.unicodeScalars
    let starts = encode(text).starts.map { scalars.index(scalars.startIndex, offsetBy: $0) }
    return zip(starts, starts.dropFirst() + [scalars.endIndex]).map { text[$0..<$1] }
  }

  /// The text with a question mark for each character that the GSM 7-bit alphabet lacks.
  package static func gsm7(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { basic.contains($0) || extended.contains($0) ? $0 : "?" }))
  }

  /// `starts`: where each part begins, in Unicode scalars.
  private static func encode(
    _ text: String, in wanted: Alphabet? = nil
  ) -> (alphabet: Alphabet, starts: [Int]) {
    if wanted != .ucs2, let septets = septets(of: text) {
      return (.gsm7, starts(septets, alone: 160, joined: 153))
    }
    return (.ucs2, starts(text.unicodeScalars.map { UTF16.width($0) }, alone: 70, joined: 67))
  }

  /// Where the parts begin for characters of these sizes; a character is never split.
  private static func starts(_ sizes: [Int], alone: Int, joined: Int) -> [Int] {
    guard sizes.reduce(0, +) > alone else { return [0] }
    var (starts, used) = ([0], 0)
    for (place, size) in sizes.enumerated() {
      if used + size > joined {
        starts.append(place)
        used = 0
      }
      used += size
    }
    return starts
  }

  /// The septets of each character in the GSM 7-bit default alphabet (3GPP TS 23.038, 6.2.1); nil if the
  /// alphabet lacks one.
  private static func septets(of text: String) -> [Int]? {
    var sizes: [Int] = []
    for scalar in text.unicodeScalars {
      if basic.contains(scalar) {
        sizes.append(1)
      } else if extended.contains(scalar) {
        sizes.append(2)
      } else {
        return nil
      }
    }
    return sizes
  }

  private static let basic = Set(
    """
    @£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?\
    ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà
    """.unicodeScalars)
  private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)
}
