/// How a text is encoded in text messages: its alphabet and its number of parts. Source: `carrier.md` 1.1.
package struct TextEncoding: Equatable, Sendable {
  package enum Alphabet: String, CaseIterable, Sendable { case gsm7, ucs2 }

  package let alphabet: Alphabet
  /// Charged parts.
  package let segments: Int

  package init(of text: String) {
    if let septets = Self.septets(of: text) {
      alphabet = .gsm7
      segments = Self.parts(septets, alone: 160, joined: 153)
    } else {
      alphabet = .ucs2
      segments = Self.parts(text.unicodeScalars.map { UTF16.width($0) }, alone: 70, joined: 67)
    }
  }

  /// The number of parts for characters of these sizes; a character is never split.
  private static func parts(_ sizes: [Int], alone: Int, joined: Int) -> Int {
    guard sizes.reduce(0, +) > alone else { return 1 }
    var (parts, used) = (1, 0)
    for size in sizes {
      if used + size > joined { (parts, used) = (parts + 1, 0) }
      used += size
    }
    return parts
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
