import Crypto
import ProviderKit

/// What an `Authorization: TSA` header signs. Source: contract 2.3 and 2.4.
struct Digest {
  private let request: Request
  private let hash: HMAC.Hash
  private let nonce: String?

  struct Parts {
    var method: String
    var contentType: String
    var date: String
    var headers: [String]
    /// Nil: the line is left out.
    var body: [UInt8]?
    var path: String

    /// One line for each part, without a line break at the end.
    func joined(by separator: String = "\n") -> [UInt8] {
      let head = ([method, contentType, date] + headers).joined(separator: separator)
      let body = body.map { Array(separator.utf8) + $0 } ?? []
      return Array(head.utf8) + body + Array("\(separator)\(path)".utf8)
    }
  }

  /// Checks the signing method, the date and the nonce, in this order.
  init(
    _ request: Request, in sandbox: Sandbox, _ settings: Settings, unauthorized: (AuthFailure) -> APIError
  ) throws {
    self.request = request
    nonce = request.headers["x-ts-nonce"]
    hash = try Self.hash(request.headers["x-ts-auth-method"], unauthorized: unauthorized)
    try Self.checkDate(of: request, in: sandbox, settings, unauthorized: unauthorized)
    guard let nonce else { return }
    let lengths = settings.shortestNonce...max(settings.shortestNonce, settings.longestNonce)
    guard lengths.contains(nonce.utf8.count) else {
      throw unauthorized(.nonceLength).because(
        "the nonce has \(nonce.utf8.count) characters; expected \(lengths.lowerBound) to \(settings.longestNonce)"
      )
    }
    if let customer = AuthorizationHeader(request.headers)?.customer,
      try NonceStore(sandbox).contains(nonce, of: customer, within: settings.nonceWindow)
    {
      throw unauthorized(.nonceUsed)
    }
  }

  /// Checks nothing; nil for an unknown signing method.
  init?(of request: Request) {
    guard let hash = Self.hash(named: request.headers["x-ts-auth-method"]) else { return nil }
    self.request = request
    self.hash = hash
    nonce = nil
  }

  /// The signature of the documented string.
  func signature(by key: String) -> String {
    Base64.encode(HMAC.authenticate(expected.joined(), key: Base64.decodeForgiving(key), hash))
  }

  /// The parts as the documentation has them.
  var expected: Parts {
    Parts(
      method: request.method.rawValue, contentType: request.headers["Content-Type"] ?? "",
      date: request.headers["Date"] ?? "",
      headers: Self.signedFields(of: request).map { "\($0.name.lowercased()):\($0.value)" },
      body: request.body.isEmpty ? nil : request.body, path: request.target.sentPath)
  }

  /// True if one of the keys made the signature. A client may sign the sandbox's prefix with the path.
  /// Unless `strictly`, the variants of the string that official SDKs are known to sign are accepted too.
  func verifies(_ signature: String, keys: [String], strictly: Bool) -> Bool {
    let documented = request.signedPaths.map { path in
      var parts = expected
      parts.path = path
      return parts.joined()
    }
    if keys.compactMap({ Base64.decode($0) }).contains(where: { key in
      documented.contains { signs($0, key, signature) }
    }) {
      return true
    }
    if strictly { return false }
    let variants = variants
    return keys.contains { key in
      decodings(of: key).contains { bytes in variants.contains { signs($0, bytes, signature) } }
    }
  }

  private func signs(_ message: [UInt8], _ key: [UInt8], _ signature: String) -> Bool {
    constantTimeEqual(Base64.encode(HMAC.authenticate(message, key: key, hash)), signature)
  }

  /// Adds to the error for a wrong signature: the expected string in the body, and for the journal the
  /// mistake that the client made, if it is a known one.
  func explain(_ error: APIError, keys: [String], _ signature: String) -> APIError {
    let expectedString = expected.joined()
    var error = error
    if error.format == .legacy || error.format == .flat {
      error.signatureString = String(decoding: expectedString, as: UTF8.self)
    }
    let mistake = SigningMistake.find(explaining: signature, expected, keys: keys, hash, in: request)
    return error.because(
      mistake?.report(expectedString) ?? SigningMistake.unknownMistake(expectedString, signature))
  }

  /// Remembers the nonce of an accepted request.
  func storeNonce(of customer: String, in sandbox: Sandbox, _ settings: Settings) throws {
    guard let nonce else { return }
    try NonceStore(sandbox).insert(nonce, of: customer, for: settings.nonceWindow)
  }

  /// The signed headers in signing order, with their names as sent.
  static func signedFields(of request: Request) -> [(name: String, value: String)] {
    request.headers.pairs.filter { $0.name.lowercased().hasPrefix("x-ts-") }
      .sorted { $0.name.lowercased() < $1.name.lowercased() }
  }

  /// The strings that official SDKs are known to sign: every combination of the candidates of contract 2.4.
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
    let withoutParameters = String(sent.prefix { $0 != ";" })
    return [sent, withoutParameters, ""].uniqued
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

  /// The bytes that different SDKs decode from a key. Source: contract 2.1 and 2.4.
  private func decodings(of key: String) -> [[UInt8]] {
    let standardAlphabet = key.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    return [
      Base64.decode(key), Base64.decodeForgiving(key), Base64.decodeForgiving(String(standardAlphabet)),
    ]
    .compactMap(\.self).uniqued
  }

  private static func hash(
    _ word: String?, unauthorized: (AuthFailure) -> APIError
  ) throws -> HMAC.Hash {
    if let hash = hash(named: word) { return hash }
    throw unauthorized(.unknownMethod)
      .because("x-ts-auth-method: unknown method \(word ?? ""); expected HMAC-SHA1 or HMAC-SHA256")
  }

  private static func hash(named word: String?) -> HMAC.Hash? {
    switch word?.uppercased() {
    case nil, "HMAC-SHA1": .sha1
    case "HMAC-SHA256": .sha256
    default: nil
    }
  }

  private static func checkDate(
    of request: Request, in sandbox: Sandbox, _ settings: Settings, unauthorized: (AuthFailure) -> APIError
  ) throws {
    guard let text = request.headers["x-ts-date"] ?? request.headers["Date"] else {
      throw unauthorized(.noDate)
    }
    guard let date = Timestamp(rfc1123: text) else {
      throw unauthorized(.brokenDate).because("not a date of RFC 1123: \(text)")
    }
    let tolerance = Duration.seconds(settings.dateTolerance)
    let times = acceptedTimes(sandbox.clock, settings)
    guard
      tolerance == .zero
        || times.contains(where: { time in (time - tolerance...time + tolerance).contains(date) })
    else {
      let shown = times.map(\.httpDate).joined(separator: ", this machine's ")
      throw unauthorized(.dateOutOfRange).because(
        "the request is dated \(text), the sandbox's clock shows \(shown)")
    }
  }

  /// Now by the sandbox's clock; if that is frozen or moved, also by the machine's, which clients use.
  /// Source: contract, Additions of 2026-11-22.
  private static func acceptedTimes(_ clock: SandboxClock, _ settings: Settings) -> [Timestamp] {
    if case .real = clock.mode { return [clock.now] }
    return settings.hasStrictDates ? [clock.now] : [clock.now, clock.machineTime]
  }
}

/// The nonces that customers used recently. Source: contract 2.5.
private struct NonceStore {
  private let sandbox: Sandbox

  init(_ sandbox: Sandbox) {
    self.sandbox = sandbox
  }

  /// True if the customer used the nonce within the last `window` seconds.
  func contains(_ nonce: String, of customer: String, within window: Int) throws -> Bool {
    guard let item = try sandbox.records.find(Self.key(nonce, customer), in: Self.section) else {
      return false
    }
    return try Self.time(of: item) + .seconds(window) > sandbox.clock.now
  }

  /// Stores a nonce, and removes up to four that are older than `window` seconds.
  func insert(_ nonce: String, of customer: String, for window: Int) throws {
    let now = sandbox.clock.now
    for item in try sandbox.records.list(Self.section, of: customer, limit: 4)
    where try Self.time(of: item) + .seconds(window) <= now {
      _ = try sandbox.records.delete(item.key, in: Self.section)
    }
    let record = JSONWriter.object { $0.member("at", Int(now.milliseconds)) }
    try sandbox.records.save(record, under: Self.key(nonce, customer), of: customer, in: Self.section)
  }

  private static func key(_ nonce: String, _ customer: String) -> String { "\(customer) \(nonce)" }

  private static func time(of item: RecordStore.Item) throws -> Timestamp {
    Timestamp(milliseconds: Int64(try Fields(Array(item.record.utf8)).int("at")))
  }

  private static let section = RecordStore.Section(provider: TelesignProvider.name, kind: "nonce")
}

extension Array where Element: Hashable {
  /// The elements without duplicates, in order.
  fileprivate var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
