/// Keeps secrets out of what the journal shows. Source: DESIGN 3.
enum Masking {
  /// What stands in a secret's place.
  static let mark = "********"

  /// Header lines as text; of an `Authorization` only its scheme is left.
  static func head(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { line in
      let name = line.prefix { $0 != ":" }
      guard secretFields.contains(name.lowercased()) else { return String(line) }
      let words = line.dropFirst(name.count + 1).split(separator: " ")
      guard words.count > 1, schemeFields.contains(name.lowercased()) else { return "\(name): \(mark)" }
      return "\(name): \(words[0]) \(mark)"
    }
  }

  /// A body as text; bytes that are not UTF-8 are shown as replacement characters.
  static func body(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static let schemeFields: Set<String> = ["authorization", "proxy-authorization"]
  private static let secretFields = schemeFields.union(["cookie", "set-cookie", "x-sdk-key"])
}
