/// The secrets of a request, which texts about it must not repeat.
struct FoundSecrets {
  /// In bytes. Shorter values are words that texts have anyway.
  private static let shortest = 8
  /// Of a request. More are no client's.
  static let usualLimit = 16
  /// Of a text about a request, in bytes. The rest is cut off.
  private static let textLimit = 4_096
  /// How much of a secret is searched for, in bytes.
  private static let searched = 1_024

  private let limit: Int
  private(set) var values: Set<String> = []

  init(limit: Int = usualLimit) { self.limit = limit }

  mutating func add(_ value: String) {
    if values.count < limit, value.utf8.count >= Self.shortest { values.insert(value) }
  }

  /// Replaces the secrets in a text that repeats parts of its request.
  func mask(_ text: String, _ masking: Masking) -> String {
    let isCut = text.utf8.count > Self.textLimit + Self.searched
    var bytes = Array(text.utf8.prefix(isCut ? Self.textLimit + Self.searched : text.utf8.count))
    bytes = masking.body(bytes)
    for value in longestFirst { bytes = Self.replace(value, in: bytes) }
    // A secret that begins here may have been cut itself.
    if isCut { bytes.removeLast(min(Self.searched, bytes.count)) }
    return String(decoding: bytes, as: UTF8.self).prefix(bytes: Self.textLimit)
  }

  /// One secret may be a part of another.
  private var longestFirst: [[UInt8]] {
    values.map { Array($0.utf8) }
      .sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count }
  }

  private static func replace(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
    let search = ByteSearch(for: secret.prefix(searched))
    var shown: [UInt8] = []
    var end = 0
    while let place = search.place(in: text, from: end) {
      shown += text[end..<place.lowerBound]
      shown += Masking.mark.utf8
      end = place.lowerBound + zip(text[place.lowerBound...], secret).prefix { $0 == $1 }.count
    }
    return end == 0 ? text : shown + text[end...]
  }
}
