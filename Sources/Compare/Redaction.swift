import Control
import Domain
import HTTP

/// Hides secrets, codes, email addresses and phone numbers of a recording in texts that are written.
struct Redaction: Sendable {
  private var names = SecretNames.common
  private var secrets: Set<String> = []
  private var codes: Set<String> = []
  /// Digits without the plus sign.
  private var numbers: Set<String> = []

  init(_ recording: Recording) {
    for entry in recording.entries {
      codes.formUnion(entry.codes)
      for value in entry.values where value.utf8.allSatisfy({ $0.isDecimalDigit }) {
        if PhoneNumber("+\(value)") != nil { numbers.insert(value) }
      }
      let bodies = [entry.body, entry.answer.body ?? []].map { String(decoding: $0, as: UTF8.self) }
      for text in bodies + [entry.url.target] { addNumbers(in: text) }
    }
  }

  /// Digits after a plus sign, which may be percent-encoded.
  private mutating func addNumbers(in text: String) {
    let plain = text.replacing("%2B", with: "+").replacing("%2b", with: "+")
    for piece in plain.split(separator: "+").dropFirst() {
      let digits = piece.prefix { "0"..."9" ~= $0 }
      if PhoneNumber("+\(digits)") != nil { numbers.insert(String(digits)) }
    }
  }

  /// Learns the secrets of a request and its answer.
  mutating func addSecrets(of entry: Recording.Entry, named names: SecretNames) {
    self.names = self.names.union(names)
    let masking = Masking(names)
    if let request = try? entry.request() { secrets.formUnion(masking.secrets(of: request)) }
    secrets.formUnion(masking.secrets(inBody: entry.answer.body ?? []))
  }

  /// The difference as people may see it.
  func hidingSecrets(in difference: Difference) -> Difference {
    var shown = difference
    let isSecret = names.contains(difference.member) || names.contains(header: difference.member)
    let hide = { (text: String) in isSecret && difference.kind != .idShape ? Masking.mark : self.text(text) }
    (shown.recorded, shown.own) = (difference.recorded.map(hide), difference.own.map(hide))
    shown.why = difference.why.map(text)
    return shown
  }

  func text(_ text: String) -> String {
    let (masking, isURL) = (Masking(names), text.hasPrefix("http") && text.contains("://"))
    let masked = isURL ? masking.target(text) : masking.body(Array(text.utf8))
    let known = secrets.sorted { $0.utf8.count > $1.utf8.count }
      .reduce(masked) { $0.contains($1) ? $0.replacing($1, with: Masking.mark) : $0 }
    if isFormatted(known) { return hiddenMiddle(known) }
    var (shown, rest) = ("", hidingEmailNames(in: known)[...])
    while let first = rest.first {
      let isDigit = "0"..."9" ~= first
      let part = rest.prefix { ("0"..."9" ~= $0) == isDigit }
      shown += isDigit ? hiddenDigits(String(part)) : String(part)
      rest = rest[part.endIndex...]
    }
    return shown
  }

  /// Hides what stands before the `@` of an email address.
  private func hidingEmailNames(in text: String) -> String {
    let pieces = text.split(separator: "@", omittingEmptySubsequences: false)
    var shown = ""
    for (piece, next) in zip(pieces, pieces.dropFirst()) {
      let name = piece.reversed().prefix { $0.isLetter || $0.isNumber || "._%+-".contains($0) }.count
      let isAddress = name > 0 && next.first?.isLetter == true && next.contains(".")
      shown += isAddress ? "\(piece.dropLast(name))\(Masking.mark)@" : "\(piece)@"
    }
    return shown + (pieces.last ?? "")
  }

  private func hiddenDigits(_ digits: String) -> String {
    if codes.contains(digits) { return Masking.mark }
    let isNumber = digits.utf8.count >= 7 && numbers.contains { $0.hasSuffix(digits) }
    return isNumber ? hiddenMiddle(digits) : digits
  }

  /// True for a known number as people write it: `(202) 555-0100`.
  private func isFormatted(_ text: String) -> Bool {
    guard text.utf8.count <= 30, text.contains(where: { " ()-.".contains($0) }),
      text.allSatisfy({ "0123456789+ ()-.".contains($0) })
    else { return false }
    // Without the zero that numbers have at home.
    let digits = text.filter(\.isNumber).drop { $0 == "0" }
    return digits.count >= 7 && numbers.contains { $0.hasSuffix(digits) }
  }

  /// All digits but the first and the last two.
  private func hiddenMiddle(_ number: String) -> String {
    let count = number.count(where: \.isNumber)
    var position = 0
    return String(
      number.map { character in
        guard character.isNumber else { return character }
        position += 1
        return position <= 2 || position > count - 2 ? character : "•"
      })
  }
}
