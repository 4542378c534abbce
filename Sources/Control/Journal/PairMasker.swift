import Domain
import HTTP
import JSON

/// Masks secrets in a form, a URL, or a path with a query: the values of `name=value` between `&` and `?`.
struct PairMasker {
  private let masking: Masking
  private let isSecret: (ArraySlice<UInt8>) -> Bool
  private var shown: [UInt8] = []
  /// The masked values.
  private(set) var found: FoundSecrets

  init(_ masking: Masking, _ found: FoundSecrets, _ isSecret: @escaping (ArraySlice<UInt8>) -> Bool) {
    self.masking = masking
    self.found = found
    self.isSecret = isSecret
  }

  mutating func mask(_ bytes: [UInt8]) -> [UInt8] {
    shown.reserveCapacity(bytes.count)
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "&") || byte == UInt8(ascii: "?") {
      show(bytes[start..<index])
      shown.append(byte)
      start = index + 1
    }
    show(bytes[start...])
    return shown
  }

  private mutating func show(_ pair: ArraySlice<UInt8>) {
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return showText(pair) }
    let (name, value) = (pair[..<equals], pair[(equals + 1)...])
    if isSecretName(name) {
      if let value = PercentCoding.decode(value, plusIsSpace: true) { found.add(value) }
      shown += name
      shown += "=\(Masking.mark)".utf8
      return
    }
    showText(name)
    shown.append(UInt8(ascii: "="))
    showText(value)
  }

  /// Names may be percent-encoded.
  private func isSecretName(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.contains(UInt8(ascii: "%")) else { return isSecret(name) }
    // Each letter takes at most three bytes.
    guard name.count <= 3 * SecretNames.maxLength,
      let text = PercentCoding.decode(name, plusIsSpace: true)
    else { return false }
    return isSecret(Array(text.utf8)[...])
  }

  /// A name or a value may be a percent-encoded URL or JSON document with secrets.
  private mutating func showText(_ bytes: ArraySlice<UInt8>) {
    guard bytes.contains(UInt8(ascii: "%")), let text = PercentCoding.decode(bytes, plusIsSpace: true),
      let masked = masking.document(Array(text.utf8), &found)
    else { return shown += bytes }
    let mark = Array(Masking.mark.utf8)
    var end = 0
    let search = ByteSearch(for: mark)
    while let place = search.place(in: masked, from: end) {
      shown += PercentCoding.encode(String(decoding: masked[end..<place.lowerBound], as: UTF8.self)).utf8
      shown += mark
      end = place.upperBound
    }
    shown += PercentCoding.encode(String(decoding: masked[end...], as: UTF8.self)).utf8
  }
}
