/// How a line is paid. Source: `carrier.md` 1.4.
package enum Contract: String, CaseIterable, Sendable {
  /// Prepaid.
  case payAsYouGo = "PAYG"
  /// By the month.
  case payMonthly = "PAYM"
  /// A company's.
  case business = "Business"
}

/// A time in which one person held a number. Source: `carrier.md` 4.2.
package struct SubscriberPeriod: Equatable, Sendable {
  /// When it began.
  package let from: Timestamp
  /// When it ended; nil: it goes on.
  package var to: Timestamp?

  /// A period from its ends.
  package init(from: Timestamp, to: Timestamp? = nil) {
    self.from = from
    self.to = to
  }
}

/// When calls to a line go elsewhere. Source: `carrier.md` 1.4.
package enum Forwarding: String, CaseIterable, Sendable {
  /// Always.
  case unconditional
  /// While the line is busy.
  case busy
  /// When nobody answers.
  case noAnswer
  /// While the handset cannot be reached.
  case unreachable
}

/// A service that is switched off for a line. Source: `carrier.md` 1.4.
package enum Barring: String, CaseIterable, Sendable {
  /// Texts to it.
  case smsIn
  /// Texts from it.
  case smsOut
  /// Calls to it.
  case voiceIn
  /// Calls from it.
  case voiceOut
  /// Data.
  case data
}

/// What reaches the handset now. Source: `carrier.md` 1.4.
package struct Reach: Equatable, Sendable {
  /// Whether texts do.
  package var sms = true
  /// Whether data does.
  package var data = true

  /// Everything does.
  package init() {}
}

/// Whether a handset is in another network's country. Source: `carrier.md` 4.2.
package struct Roaming: Equatable, Sendable {
  /// Whether it is.
  package var isOn = false
  /// The mobile country code of the visited network.
  package var mcc: String?
  /// The visited countries, ISO 3166-1 alpha-2: some codes are shared by several.
  package var countries: [String] = []

  /// At home.
  package init() {}
}
