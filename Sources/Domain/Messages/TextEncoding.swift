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
      segments = Self.parts(text.utf16.count, alone: 70, joined: 67)
    }
  }

  private static func parts(_ units: Int, alone: Int, joined: Int) -> Int {
    units <= alone ? 1 : (units + joined - 1) / joined
  }

  /// Septets in the GSM 7-bit default alphabet (3GPP TS 23.038, 6.2.1), or nil where a character is not in it.
  private static func septets(of text: String) -> Int? {
    var count = 0
    for scalar in text.unicodeScalars {
      if basic.contains(scalar) {
        count += 1
      } else if extended.contains(scalar) {
        count += 2
      } else {
        return nil
      }
    }
    return count
  }

  private static let basic = Set(
    """
    @£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?\
    ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà
    """.unicodeScalars)
  private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)
}
