/// Masks secrets in a form, a URL, or a path with a query: the values of `name=value` between `&` and `?`.
struct PairMasker {
  private let masking: Masking
  private let isSecret: (ArraySlice<UInt8>) -> Bool
  private let bytes: [UInt8]
  private var shown: MaskedBytes
  /// The masked values.
  private(set) var found: FoundSecrets

  init(
    _ bytes: [UInt8], _ masking: Masking, _ found: FoundSecrets,
    _ isSecret: @escaping (ArraySlice<UInt8>) -> Bool
  ) {
    self.masking = masking
    self.bytes = bytes
    self.shown = MaskedBytes(bytes)
    self.found = found
    self.isSecret = isSecret
  }

  mutating func mask() -> [UInt8] {
    var start = 0
    var equals: Int?
    var hasEscapes = false
    for index in 0...bytes.count {
      switch index < bytes.count ? bytes[index] : UInt8(ascii: "&") {
      case UInt8(ascii: "&"), UInt8(ascii: "?"):
        maskPair(start..<index, equals, hasEscapes)
        (start, equals, hasEscapes) = (index + 1, nil, false)
      case UInt8(ascii: "="): equals = equals ?? index
      case UInt8(ascii: "%"): hasEscapes = true
      default: break
      }
    }
    return shown.all
  }

  private mutating func maskPair(_ pair: Range<Int>, _ equals: Int?, _ hasEscapes: Bool) {
    guard let equals else {
      if hasEscapes { maskText(pair) }
      return
    }
    let (name, value) = (pair.lowerBound..<equals, equals + 1..<pair.upperBound)
    if isSecretName(bytes[name], hasEscapes) {
      if let text = PercentCoding.decode(bytes[value], plusIsSpace: true) { found.add(text) }
      return shown.replace(value, with: Masking.mark.utf8)
    }
    if hasEscapes {
      maskText(name)
      maskText(value)
    }
  }

  /// Names may be percent-encoded.
  private func isSecretName(_ name: ArraySlice<UInt8>, _ hasEscapes: Bool) -> Bool {
    guard hasEscapes, name.contains(UInt8(ascii: "%")) else { return isSecret(name) }
    // Each letter takes at most three bytes.
    guard name.count <= 3 * SecretNames.maxLength,
      let text = PercentCoding.decode(name, plusIsSpace: true)
    else { return false }
    return isSecret(Array(text.utf8)[...])
  }

  /// A name or a value may be a percent-encoded URL or JSON document with secrets.
  private mutating func maskText(_ range: Range<Int>) {
    guard bytes[range].contains(UInt8(ascii: "%")),
      let text = PercentCoding.decode(bytes[range], plusIsSpace: true),
      let masked = masking.document(Array(text.utf8), &found)
    else { return }
    let mark = Array(Masking.mark.utf8)
    var encoded: [UInt8] = []
    var end = 0
    let search = ByteSearch(for: mark)
    while let place = search.place(in: masked, from: end) {
      encoded += PercentCoding.encode(String(decoding: masked[end..<place.lowerBound], as: UTF8.self)).utf8
      encoded += mark
      end = place.upperBound
    }
    encoded += PercentCoding.encode(String(decoding: masked[end...], as: UTF8.self)).utf8
    shown.replace(range, with: encoded)
  }
}
