import Crypto
import ProviderKit

/// The generator of a TOTP factor (RFC 6238). Source: contract 10.
struct TOTPConfig: Equatable, Sendable {
  enum Algorithm: String, CaseIterable, Sendable {
    case sha1, sha256, sha512

    fileprivate var hash: HMAC.Hash {
      switch self {
      case .sha1: .sha1
      case .sha256: .sha256
      case .sha512: .sha512
      }
    }
  }

  /// Base32.
  var secret = ""
  var algorithm = Algorithm.sha1
  /// In seconds.
  var timeStep = 30
  /// How many time steps a code may be early or late.
  var skew = 1
  var codeLength = 6
  /// The counters of approved challenges. Only those that a code can still have are kept.
  var usedCounters: [Int] = []
  /// When challenges were created, oldest first: as many as a day allows.
  var challengeTimes: [Timestamp] = []

  static let schema = Schema<TOTPConfig>([
    .required("secret", \.secret, .string),
    .required("algorithm", \.algorithm, .word),
    .required("timeStep", \.timeStep, .integer(timeSteps)),
    .required("skew", \.skew, .integer(skews)),
    .required("codeLength", \.codeLength, .integer(codeLengths)),
    .field("usedCounters", \.usedCounters, .array(of: .integer), default: []),
    .field("challengeTimes", \.challengeTimes, .array(of: .timestamp), default: []),
  ])

  static let timeSteps = 20...60
  static let skews = 0...2
  static let codeLengths = 3...8

  /// The code of a time step, counted from 1970.
  func code(at counter: Int) -> String {
    let message = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: counter >> $0) }
    let hash = HMAC.authenticate(message, key: Base32.decode(secret) ?? [], algorithm.hash)
    // Dynamic truncation (RFC 4226, 5.3).
    let offset = (hash.last ?? 0) & 0xF
    var number = hash.dropFirst(Int(truncatingIfNeeded: offset)).prefix(4).reduce(0 as UInt32) {
      $0 << 8 | UInt32(truncatingIfNeeded: $1)
    }
    number &= 0x7FFF_FFFF
    var digits: [Character] = []
    for _ in 0..<codeLength {
      digits.append(Character(Unicode.Scalar(UInt8(truncatingIfNeeded: number % 10) + 0x30)))
      number /= 10
    }
    return String(digits.reversed())
  }

  /// The counter of a code that is valid now; nil for other codes, and for one that a challenge has used.
  func counter(of code: String, at now: Timestamp) -> Int? {
    let current = counter(at: now)
    return [0, -1, 1, -2, 2].filter { abs($0) <= skew }.map { current + $0 }.first { counter in
      !usedCounters.contains(counter) && constantTimeEqual(self.code(at: counter), code)
    }
  }

  /// Refuses the counter from now on.
  mutating func use(_ counter: Int, at now: Timestamp) {
    let oldest = self.counter(at: now) - Self.skews.upperBound
    usedCounters = usedCounters.filter { $0 >= oldest } + [counter]
  }

  private func counter(at time: Timestamp) -> Int { time.unixSeconds / timeStep }

  /// What authenticator apps read as a QR code.
  func uri(issuer: String, account: String) -> String {
    let (issuer, account) = (PercentCoding.encode(issuer), PercentCoding.encode(account))
    return "otpauth://totp/\(issuer):\(account)?secret=\(secret)&issuer=\(issuer)"
      + "&algorithm=\(algorithm.rawValue.uppercased())&digits=\(codeLength)&period=\(timeStep)"
  }
}

/// Limits of challenges. Source: contract 9.3.
extension TOTPConfig {
  /// Counts a challenge that is created now; fails with 60312 if there were too many.
  mutating func countChallenge(at now: Timestamp) throws(APIError) {
    let recent = challengeTimes.filter { $0 > now - .seconds(86_400) }
    let isShort = codeLength <= 4
    let dailyLimit = isShort ? 10 : 100
    guard recent.count < dailyLimit else {
      throw APIError(code: 60312).because("the factor had \(dailyLimit) challenges in 24 hours")
    }
    guard isShort || recent.count(where: { $0 > now - .seconds(3600) }) < 50 else {
      throw APIError(code: 60312).because("the factor had 50 challenges in one hour")
    }
    challengeTimes = recent + [now]
  }
}
