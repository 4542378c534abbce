/// How a proof by the data connection can fare. Source: `carrier.md` 4.3 and 4.5.
package enum SilentOutcome: String, CaseIterable, Sendable {
  /// The SIM behind the connection has the claimed number.
  case match
  /// It has another number.
  case mismatch
  /// The connection is none over mobile data: Wi-Fi, VPN, tethering, or the data session is off.
  case notMobile
  /// The operator does not take part.
  case noCoverage
  /// The operator's gateway fails.
  case carrierError
  /// The operator's gateway hangs.
  case timeout
  /// The operator's gateway answers a page that belongs to nobody.
  case garbage
  /// The operator's gateway redirects without end.
  case loop
  /// The person has not agreed.
  case userDenied
}

/// What carries a connection. Source: `carrier.md` 4.5.
package enum Bearer: String, CaseIterable, Sendable {
  /// The handset's own mobile data.
  case cellular
  /// A wireless network at home or in a café.
  case wifi
  /// A tunnel that comes out elsewhere.
  case vpn
  /// Another device's mobile data.
  case tether
}

/// What a provider is told when its chain comes back.
package enum SilentVerdict: String, CaseIterable, Sendable {
  /// The handset has the claimed number.
  case matched
  /// It has another one.
  case mismatched
  /// It was not on mobile data.
  case notMobile
  /// Its operator does not take part.
  case noCoverage
  /// The operator failed.
  case carrierError
  /// The person has not agreed.
  case denied
  /// The session's time was over.
  case expired
  /// The session allows one use, and has had it.
  case used
  /// Nobody gave out this token, or not this grant for it.
  case unknown

  init(_ outcome: SilentOutcome) {
    switch outcome {
    case .match: self = .matched
    case .mismatch: self = .mismatched
    case .notMobile: self = .notMobile
    case .noCoverage: self = .noCoverage
    case .userDenied: self = .denied
    case .carrierError, .timeout, .garbage, .loop: self = .carrierError
    }
  }
}
