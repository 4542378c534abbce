import Control
import Crypto

/// Hides secrets, codes, email addresses and phone numbers of a recording in texts that are written.
struct Redaction: Sendable {
  private var names = SecretNames.common
  private var secrets: Set<String> = []
  private var digits = RecordedDigits()

  init(_ recording: Recording) {
    for entry in recording.entries {
      digits.learn(codes: entry.codes)
      for value in entry.values + entry.answer.texts { digits.learn(number: value) }
      let bodies = [entry.body, entry.answer.body ?? []].map { String(decoding: $0, as: UTF8.self) }
      for text in bodies + [entry.url.target] { digits.learnNumbers(in: text) }
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
    let name = ArraySlice(difference.member.utf8)
    let isSecret = names.contains(name) || names.contains(header: name)
    let hide = { (text: String) in
      if difference.kind == .time || ValueShape.time(text) != nil { return text }
      return isSecret && difference.kind != .idShape ? Masking.mark : self.text(text)
    }
    (shown.recorded, shown.own) = (difference.recorded.map(hide), difference.own.map(hide))
    shown.why = difference.why.map(text)
    // Names of members can be phone numbers.
    shown.place = text(difference.place)
    return shown
  }

  func text(_ text: String) -> String {
    let (masking, isURL) = (Masking(names), text.hasPrefix("http") && text.contains("://"))
    let masked = isURL ? masking.target(text) : masking.body(Array(text.utf8))
    let known = secrets.sorted { $0.utf8.count > $1.utf8.count }
      .reduce(masked) { $0.contains($1) ? $0.replacing($1, with: Masking.mark) : $0 }
    return digits.hiding(in: Self.hidingEmailNames(in: Self.hidingCredentials(in: known)))
  }

  /// Hides what is a credential whatever its name: a JWT, and what follows `Bearer` or `Basic`.
  private static func hidingCredentials(in text: String) -> String {
    let masked = text.replacing(#/(?i)\b(bearer\s+)((?>[\w.~+\/-]+=*))(?![\w"=])/#) { found in
      wordsAfterBearer.contains(found.2.lowercased()) ? "\(found.0)" : "\(found.1)\(Masking.mark)"
    }.replacing(#/(?i)\b(basic\s+)([\w+\/]+=*)/#) { found in
      let isPair = Base64.decode(String(found.2))?.contains(UInt8(ascii: ":")) ?? false
      return isPair ? "\(found.1)\(Masking.mark)" : "\(found.0)"
    }
    return Token.split(masked).map { token in
      token.text.hasPrefix("eyJ") && token.text.contains(".") ? Masking.mark : token.text
    }.joined()
  }

  /// In sentences about them.
  private static let wordsAfterBearer: Set = [
    "auth", "authentication", "authorization", "credential", "credentials", "header", "realm", "scheme",
    "token", "token.", "tokens", "tokens.",
  ]

  /// Hides what stands before the `@` of an email address.
  private static func hidingEmailNames(in text: String) -> String {
    let pieces = text.split(separator: "@", omittingEmptySubsequences: false)
    var shown = ""
    for (piece, next) in zip(pieces, pieces.dropFirst()) {
      let name = piece.reversed().prefix { $0.isLetter || $0.isNumber || "._%+-".contains($0) }.count
      let isAddress = name > 0 && next.first?.isLetter == true && next.contains(".")
      shown += isAddress ? "\(piece.dropLast(name))\(Masking.mark)@" : "\(piece)@"
    }
    return shown + (pieces.last ?? "")
  }
}
