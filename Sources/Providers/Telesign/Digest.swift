import Crypto
import Domain
import HTTP
import ProviderKit

/// A request as its `Authorization: TSA` signs it. Source: contract 2.3 and 2.4.
struct Digest {
  private let request: Request
  private let hash: HMAC.Hash
  private let nonce: String?

  /// The parts that are signed, each as its first candidate or as another that some client sends.
  struct Parts {
    var method: String
    var contentType: String
    var date: String
    var headers: [String]
    /// Nil where the line is left out.
    var body: [UInt8]?
    var path: String

    /// The lines with a line feed between them and none at the end.
    func joined(by separator: String = "\n") -> [UInt8] {
      let head = ([method, contentType, date] + headers).joined(separator: separator)
      let body = body.map { Array(separator.utf8) + $0 } ?? []
      return Array(head.utf8) + body + Array("\(separator)\(path)".utf8)
    }
  }

  /// Looks at method, date and nonce, in this order.
  init(
    _ request: Request, in sandbox: Sandbox, _ settings: Settings, refused: (Mishap) -> Problem
  ) throws {
    self.request = request
    nonce = request.headers["x-ts-nonce"]
    hash = try Self.hash(request.headers["x-ts-auth-method"], refused: refused)
    try Self.checkDate(of: request, in: sandbox, settings, refused: refused)
    guard let nonce else { return }
    guard
      (settings.shortestNonce...max(settings.shortestNonce, settings.longestNonce)).contains(nonce.utf8.count)
    else {
      throw refused(.nonceLength).because(
        "a nonce has \(settings.shortestNonce) to \(settings.longestNonce) characters here, this one \(nonce.utf8.count)"
      )
    }
    if let customer = SignIn(request.headers)?.customer,
      try Nonces(sandbox).isKnown(nonce, of: customer, for: settings.nonceWindow)
    {
      throw refused(.nonceUsed)
    }
  }

  /// What the sandbox signs: the first candidate of each part.
  var expected: Parts {
    Parts(
      method: request.method.rawValue, contentType: request.headers["Content-Type"] ?? "",
      date: request.headers["Date"] ?? "",
      headers: Self.signedFields(of: request).map { "\($0.name.lowercased()):\($0.value)" },
      body: request.body.isEmpty ? nil : request.body, path: request.target.path)
  }

  /// Whether one of the keys has made the signature, by the rule or, unless it is to be strict, by any of the
  /// variants that official SDKs are known to sign.
  func isSigned(by keys: [String], _ signature: String, strictly: Bool) -> Bool {
    let usual = expected.joined()
    if keys.contains(where: { Base64.decode($0).map { signs(usual, $0, signature) } ?? false }) {
      return true
    }
    if strictly { return false }
    let variants = variants
    return keys.contains { key in
      readings(of: key).contains { bytes in variants.contains { signs($0, bytes, signature) } }
    }
  }

  private func signs(_ message: [UInt8], _ key: [UInt8], _ signature: String) -> Bool {
    constantTimeEqual(Base64.encode(HMAC.authenticate(message, key: key, hash)), signature)
  }

  /// The refusal of a wrong signature, with the string that was expected; the journal is told where the
  /// client's own string differs, where that can be found out.
  func refusal(_ problem: Problem, keys: [String], _ signature: String) -> Problem {
    let expected = expected.joined()
    var problem = problem
    if problem.family == .legacy || problem.family == .flat {
      problem.signatureString = String(decoding: expected, as: UTF8.self)
    }
    let slip = Slip.find(
      behind: signature, of: self.expected, keys: keys, hash, in: request)
    return problem.because(slip?.report(expected) ?? Slip.unknown(expected, signature))
  }

  /// Remembers the nonce of a request that was let in.
  func noteNonce(of customer: String, in sandbox: Sandbox, _ settings: Settings) throws {
    guard let nonce else { return }
    try Nonces(sandbox).note(nonce, of: customer, for: settings.nonceWindow)
  }

  /// The fields that are signed, in the order in which they are, with their names as they were sent.
  static func signedFields(of request: Request) -> [(name: String, value: String)] {
    request.headers.pairs.filter { $0.name.lowercased().hasPrefix("x-ts-") }
      .sorted { $0.name.lowercased() < $1.name.lowercased() }
  }

  /// Every combination of the candidates of contract 2.4.
  private var variants: [[UInt8]] {
    var messages: [[UInt8]] = []
    for contentType in contentTypes {
      for date in dates {
        for body in bodies {
          var parts = expected
          (parts.contentType, parts.date, parts.body) = (contentType, date, body)
          messages.append(parts.joined())
        }
      }
    }
    let decoded = PercentCoding.decode(expected.joined(), plusIsSpace: false)
    return messages + (decoded.map { [Array($0.utf8)] } ?? [])
  }

  private var contentTypes: [String] {
    let sent = expected.contentType
    let plain = String(sent.prefix { $0 != ";" })
    return [sent, plain, ""].uniqued
  }

  private var dates: [String] {
    (request.headers["x-ts-date"] == nil ? [expected.date] : [expected.date, ""]).uniqued
  }

  private var bodies: [[UInt8]?] {
    let query = PercentCoding.decode(Array(request.target.query.utf8), plusIsSpace: false).map {
      Array($0.utf8)
    }
    return [expected.body, nil, query, Array("{}".utf8), []]
  }

  /// The bytes that SDKs make of a key. Source: contract 2.1 and 2.4.
  private func readings(of key: String) -> [[UInt8]] {
    let forURL = key.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    return [Base64.decode(key), Base64.decodeForgiving(key), Base64.decodeForgiving(String(forURL))]
      .compactMap(\.self).uniqued
  }

  private static func hash(_ word: String?, refused: (Mishap) -> Problem) throws -> HMAC.Hash {
    switch word?.uppercased() {
    case nil, "HMAC-SHA1": return .sha1
    case "HMAC-SHA256": return .sha256
    case .some(let word): throw refused(.unknownMethod).because("no such method: \(word)")
    }
  }

  private static func checkDate(
    of request: Request, in sandbox: Sandbox, _ settings: Settings, refused: (Mishap) -> Problem
  ) throws {
    guard let text = request.headers["x-ts-date"] ?? request.headers["Date"] else { throw refused(.noDate) }
    guard let date = Timestamp(rfc1123: text) else {
      throw refused(.brokenDate).because("no date of RFC 1123: \(text)")
    }
    let now = sandbox.clock.now
    let tolerance = Duration.seconds(settings.dateTolerance)
    guard tolerance == .zero || (now - tolerance...now + tolerance).contains(date) else {
      throw refused(.dateOutOfRange).because(
        "the request is of \(text), the sandbox's clock shows \(now.httpDate)")
    }
  }
}

extension Array where Element: Hashable {
  /// Each element once, in order.
  fileprivate var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
