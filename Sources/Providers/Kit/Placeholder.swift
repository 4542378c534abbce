/// A mark in a text that a value replaces, such as `{{code}}`.
///
/// Compares bytes, because `replacing` and `contains` compare characters, which takes 20,000 instructions for
/// a text of one line.
package struct Placeholder: Sendable {
  package let text: String
  private let bytes: [UInt8]

  /// All of it, with its braces. Not empty.
  package init(_ text: String) {
    precondition(!text.isEmpty, "an empty text is at each place")
    self.text = text
    bytes = Array(text.utf8)
  }

  package func isFound(in text: String) -> Bool { !places(in: Array(text.utf8)).isEmpty }

  /// The text with a value in each of the places.
  package func fill(_ text: String, with value: String) -> String {
    let source = Array(text.utf8)
    var filled: [UInt8] = []
    var end = 0
    for place in places(in: source) {
      filled += source[end..<place]
      filled += value.utf8
      end = place + bytes.count
    }
    filled += source[end...]
    return String(decoding: filled, as: UTF8.self)
  }

  /// Where the places begin.
  private func places(in text: [UInt8]) -> [Int] {
    var places: [Int] = []
    var index = 0
    while index + bytes.count <= text.count {
      if text[index] == bytes[0], text[index...].starts(with: bytes) {
        places.append(index)
        index += bytes.count
      } else {
        index += 1
      }
    }
    return places
  }
}
