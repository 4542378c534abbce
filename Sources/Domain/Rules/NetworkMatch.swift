import JSON
import Numbers

/// The part of the network that a scenario is about; nil matches all.
package struct NetworkMatch: Equatable, Sendable {
  /// The country of the number: ISO 3166-1 alpha-2.
  package var country: String?
  /// The first digits of the number, after a `+`.
  package var prefix: String?
  package var operatorName: String?
  package var isRoaming: Bool?

  package init() {}

  /// `subscriber` is nil for an email address, which is in no network.
  func matches(_ subscriber: Subscriber?) -> Bool {
    guard self != NetworkMatch() else { return true }
    guard let subscriber else { return false }
    return (country == nil || country == subscriber.country)
      && (prefix.map { subscriber.number.description.hasPrefix($0) } ?? true)
      && (operatorName == nil || operatorName == subscriber.operatorName)
      && (isRoaming == nil || isRoaming == subscriber.roaming.isOn)
  }

  /// `to numbers in FR that roam`; nil if it matches all.
  var description: String? {
    let words = [
      country.map { "in \($0)" }, prefix.map { "that begin with \($0)" }, operatorName.map { "of \($0)" },
      isRoaming.map { $0 ? "that roam" : "that do not roam" },
    ].compactMap(\.self)
    return words.isEmpty ? nil : "to numbers " + words.joined(separator: " ")
  }
}

extension Scenario {
  static let matchSchema = Schema<Scenario>(
    nil, "",
    [
      .nullable("number", \.number, .destination, "Only messages to this phone number or email address."),
      .nullable("channel", \.channel, .word, "Only messages of this channel."),
      .nullable("sender", \.sender, .string, "Only messages from this sender."),
      .nullable("provider", \.provider, .string, "Only messages of this provider."),
      .optional(
        "country", \.network.country, .countryCode,
        "Only messages to numbers of this country: two letters of ISO 3166-1."),
      .optional(
        "prefix", \.network.prefix, .numberPrefix,
        "Only messages to numbers that begin so, such as +3363."),
      .optional(
        "operator", \.network.operatorName, .string(1...100),
        "Only messages to numbers of this operator, by the name in their records."),
      .optional(
        "roaming", \.network.isRoaming, .boolean,
        "true: only messages to handsets that roam; false: only to those that do not."),
    ] + Occurrences.fields.map { $0.lifted(\.occurrences) }
  ) { input, scenario throws(FieldError) in try scenario.requirePossibleNetwork(input) }

  /// Throws if no message can match: an email address is in no network, and a number has its own digits.
  private func requirePossibleNetwork(_ input: Fields) throws(FieldError) {
    let phone = number.flatMap { PhoneNumber($0) }
    for name in ["country", "prefix", "operator", "roaming"] where input.has(name) {
      guard number == nil || phone != nil else {
        throw input.mismatch(name, expected: "nothing beside an email address")
      }
      guard channel != .email else {
        throw input.mismatch(name, expected: "nothing beside the channel email")
      }
    }
    guard let phone else { return }
    if let prefix = network.prefix, !phone.description.hasPrefix(prefix) {
      throw input.mismatch("prefix", expected: "the first digits of \(phone)")
    }
    if let country = network.country, let actual = phone.country, country != actual {
      throw input.mismatch("country", expected: "\(actual), the country of \(phone)")
    }
  }
}

extension FieldType<String> {
  /// The first digits of phone numbers: `+3363`.
  fileprivate static var numberPrefix: FieldType {
    .text(
      .string(pattern: "^\\+[1-9][0-9]{0,14}$"),
      expected: "the first digits of a phone number, such as +3363",
      meant: { text in
        let meant = "+" + text.filter { $0.isASCII && $0.isNumber }
        return meant.isNumberPrefix ? meant : nil
      },
      parse: { $0.isNumberPrefix ? $0 : nil }, format: { $0 })
  }
}

extension String {
  fileprivate var isNumberPrefix: Bool {
    let digits = dropFirst()
    return first == "+" && (1...15).contains(digits.utf8.count) && digits.isDecimal && digits.first != "0"
  }
}
