internal import COpenSSL

/// Base64 with padding (RFC 4648, section 4).
package enum Base64 {
  /// Encodes in one line.
  package static func encode(_ bytes: [UInt8]) -> String {
    text(of: bytes) { _ in 0 }
  }

  /// Encodes, and lets `change` edit the characters. It returns how many to leave out at the end.
  private static func text(
    of bytes: [UInt8], _ change: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> String {
    let size = (bytes.count + 2) / 3 * 4
    // OpenSSL adds a zero byte.
    return String(unsafeUninitializedCapacity: size + 1) { characters in
      _ = EVP_EncodeBlock(characters.baseAddress, bytes, Int32(bytes.count))
      return size - change(.init(rebasing: characters[..<size]))
    }
  }

  /// Encodes with `-_` instead of `+/` (RFC 4648, section 5), without padding as in tokens (RFC 7515, 2) or
  /// with it.
  package static func encodeForURL(_ bytes: [UInt8], isPadded: Bool = false) -> String {
    text(of: bytes) { characters in
      for index in characters.indices {
        switch characters[index] {
        case UInt8(ascii: "+"): characters[index] = UInt8(ascii: "-")
        case UInt8(ascii: "/"): characters[index] = UInt8(ascii: "_")
        default: break
        }
      }
      return isPadded ? 0 : (3 - bytes.count % 3) % 3
    }
  }

  /// Returns nil unless the text is exactly what `encode` would return.
  package static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8(decode)
  }

  /// Returns nil unless the characters are exactly what `encode` would return.
  package static func decode(_ characters: ArraySlice<UInt8>) -> [UInt8]? {
    characters.withUnsafeBufferPointer(decode)
  }

  /// Decodes the URL alphabet without padding, as in tokens (RFC 7515, 2). Returns nil for anything else.
  package static func decodeFromURL(_ text: some StringProtocol) -> [UInt8]? {
    decodeFromURL(Array(String(text).utf8)[...])
  }

  /// The same for the characters' bytes.
  package static func decodeFromURL(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard !text.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else { return nil }
    let characters = text.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    guard characters.last != UInt8(ascii: "=") else { return nil }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - characters.count % 4) % 4)
    return decode((characters + padding)[...])
  }

  /// Ignores characters outside the alphabet and missing padding, like the decoders of several languages.
  package static func decodeForgiving(_ text: String) -> [UInt8] {
    var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for character in text.utf8.prefix(while: { $0 != UInt8(ascii: "=") }) {
      let value = values[Int(character)]
      guard value < 64 else { continue }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  private static func decode(_ characters: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard characters.count.isMultiple(of: 4) else { return nil }
    let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let (end, size) = (characters.count - padding, characters.count / 4 * 3)
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      values.withUnsafeBufferPointer { values in
        for quad in 0..<characters.count / 4 {
          var bits: UInt32 = 0
          for index in quad * 4..<quad * 4 + 4 {
            let value = index < end ? values[Int(characters[index])] : 0
            isValid = isValid && value < 64
            bits = bits << 6 | UInt32(value)
          }
          for place in 0..<3 { bytes[quad * 3 + place] = UInt8(truncatingIfNeeded: bits >> (16 - 8 * place)) }
        }
      }
      // Rejects non-zero bits in the padding, because credentials must have only one form.
      isValid = isValid && bytes[(size - padding)..<size].allSatisfy { $0 == 0 }
      count = size - padding
    }
    return isValid ? bytes : nil
  }

  /// The value of each character, 64 for bytes outside the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()
}
