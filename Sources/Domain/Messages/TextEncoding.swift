/// How a text goes over the air: the alphabet it needs and how many parts it takes. Source: `carrier.md` 1.1.
package struct TextEncoding: Equatable, Sendable {
  /// The alphabet's name: `gsm7` or `ucs2`.
  package let name: String
  /// Parts that are charged.
  package let segments: Int

  /// Measures a text.
  package init(of text: String) {
    if let septets = Self.septets(of: text) {
      name = "gsm7"
      segments = Self.parts(septets, alone: 160, joined: 153)
    } else {
      name = "ucs2"
      segments = Self.parts(text.unicodeScalars.map { UTF16.width($0) }, alone: 70, joined: 67)
    }
  }

  /// How many parts characters of these sizes take; a character that does not fit at a part's end begins the
  /// next one.
  private static func parts(_ sizes: [Int], alone: Int, joined: Int) -> Int {
    guard sizes.reduce(0, +) > alone else { return 1 }
    var (parts, used) = (1, 0)
    for size in sizes {
      if used + size > joined { (parts, used) = (parts + 1, 0) }
      used += size
    }
    return parts
  }

  /// Each character's septets in the GSM 7-bit default alphabet (3GPP TS 23.038, 6.2.1), or nil where one is not
  /// in it.
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
