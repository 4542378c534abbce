package import Basics
import Numbers

/// The possible results of a silent verification. Source: `carrier.md` 4.3 and 4.5.
package enum SilentOutcome: String, CaseIterable, Sendable {
  /// The SIM behind the connection has the claimed number.
  case match
  /// It has another number.
  case mismatch
  /// The connection is not over mobile data: Wi-Fi, VPN, tethering, or the data session is off.
  case notMobile
  /// The operator does not support silent verification.
  case noCoverage
  /// The operator's gateway fails.
  case carrierError
  /// The operator's gateway does not answer.
  case timeout
  /// The operator's gateway answers with an unrelated page.
  case garbage
  /// The operator's gateway redirects forever.
  case loop
  /// The person has not consented.
  case userDenied
  /// The session ends while the gateway works.
  case expired
}

/// The kind of network behind a connection. Source: `carrier.md` 4.5.
package enum Bearer: String, CaseIterable, Sendable {
  case cellular
  case wifi
  case vpn
  /// Another device's mobile data.
  case tether
}

/// What a provider learns when the handset returns from the gateway.
package enum SilentVerdict: String, CaseIterable, Sendable {
  case matched
  case mismatched
  case notMobile
  case noCoverage
  case carrierError
  case denied
  /// The session has expired.
  case expired
  /// The session is for single use and was used.
  case used
  /// The token does not exist, or the grant does not belong to it.
  case unknown

  package init(_ outcome: SilentOutcome) {
    switch outcome {
    case .match: self = .matched
    case .mismatch: self = .mismatched
    case .notMobile: self = .notMobile
    case .noCoverage: self = .noCoverage
    case .userDenied: self = .denied
    case .carrierError, .timeout, .garbage, .loop: self = .carrierError
    case .expired: self = .expired
    }
  }
}

extension Subscriber {
  /// The result that follows from the record, if no scenario applies. Source: `carrier.md` 4.5, the result
  /// table.
  package func silentOutcome(at time: Timestamp) -> SilentOutcome {
    guard lineType == .mobile, coversSilent, !suspended, !isDeactivated(at: time) else { return .noCoverage }
    guard session.isOn, interference == .none, !barring.contains(.data) else { return .notMobile }
    return .match
  }
}
