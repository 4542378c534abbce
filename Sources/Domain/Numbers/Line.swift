package import Basics
import JSON

/// The networks of numbers whose record names none. All are fictional.
package enum FictionalOperator: String, CaseIterable, Sendable {
  case sandpiperMobile = "Sandpiper Mobile"
  case sandpiperFixed = "Sandpiper Fixed"
  case sandpiperVoice = "Sandpiper Voice"
  case wrenMobile = "Wren Mobile"
}

/// How a line is paid for. Source: `carrier.md` 1.4.
package enum Contract: String, CaseIterable, Sendable {
  case payAsYouGo = "PAYG"
  case payMonthly = "PAYM"
  case business = "Business"
}

/// A time in which one person held a number. Source: `carrier.md` 4.2.
package struct SubscriberPeriod: Equatable, Sendable {
  package let from: Timestamp
  /// Nil for the present holder.
  package var to: Timestamp?

  package init(from: Timestamp, to: Timestamp? = nil) {
    self.from = from
    self.to = to
  }
}

/// When calls to a line are forwarded. Source: `carrier.md` 1.4.
package enum Forwarding: String, CaseIterable, Sendable {
  case unconditional
  case busy
  case noAnswer
  case unreachable
}

/// What is known of a number's SIM card. Source: `camara.md` 6.
package enum SIMCard: String, CaseIterable, Sendable {
  case connected
  /// No network has seen it yet.
  case neverConnected
  /// The number has no card.
  case missing = "none"
}

/// A handset's model and software. Its IMEI is the subscriber's.
package struct Handset: Equatable, Sendable {
  package var manufacturer: String?
  package var model: String?
  /// The last two digits of an IMEISV.
  package var softwareVersion: String?

  package init() {}

  static let schema = Schema<Handset>(
    nil, "",
    [
      .nullable("manufacturer", \.manufacturer, .string(1...100), "Who makes it."),
      .nullable("model", \.model, .string(1...100), "The name of its model."),
      .nullable(
        "softwareVersion", \.softwareVersion, .digits(2...2), "The last two digits of its IMEISV, such as 01."
      ),
    ])
}

/// A service that is switched off for a line. Source: `carrier.md` 1.4.
package enum Barring: String, CaseIterable, Sendable {
  case smsIn
  case smsOut
  case voiceIn
  case voiceOut
  case data
}
