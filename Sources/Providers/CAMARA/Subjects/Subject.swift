import Domain
import JSON
import ProviderKit

// Which number a request is about. Source: contract 4.

extension Fields {
  /// The optional member `phoneNumber`. It may have fewer digits than a number that exists.
  func optionalPhoneNumber(_ name: String = "phoneNumber") throws -> String? {
    guard let text = try optionalString(name) else {
      try requireAbsent(name, expected: Self.phoneNumberFormat)
      return nil
    }
    guard Self.isPhoneNumber(text) else { throw mismatch(name, expected: Self.phoneNumberFormat) }
    return text
  }

  /// A whole number; another type is an `INVALID_ARGUMENT`, another value an `OUT_OF_RANGE`.
  func optionalInteger(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let number = try optionalInt(name) else {
      try requireAbsent(name, expected: "an integer")
      return nil
    }
    guard range.contains(number) else {
      throw APIError.outOfRange(name, expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Throws if a member without a value is there, as `null`: the official files allow no `null`.
  func requireAbsent(_ name: String, expected: String) throws {
    guard !has(name) else { throw mismatch(name, expected: expected) }
  }

  private static let phoneNumberFormat = "a phone number such as +12025550100"

  private static func isPhoneNumber(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.hasPrefix("+") && (5...15).contains(digits.count) && digits.first != UInt8(ascii: "0")
      && digits.allSatisfy { $0.isDigit }
  }
}

extension RequestContext {
  /// The subscriber that a request is about: that of the token, or that of the number in the body.
  /// `number` is what `optionalPhoneNumber` has read. `mayRepeatToken`: it may be there although the token
  /// names the same, as everywhere in Fall24.
  func subscriber(numbered number: String?, mayRepeatToken: Bool = false) throws -> Subscriber {
    let subscriber = try knownSubscriber(
      numbered: number, mayRepeatToken: mayRepeatToken || version.release == .fall24)
    try requireMobile(subscriber)
    try requireConsent(of: subscriber)
    return subscriber
  }

  /// The same for a line of any kind.
  func knownSubscriber(numbered number: String?, mayRepeatToken: Bool = false) throws -> Subscriber {
    switch (token.number, number) {
    case (nil, nil):
      throw APIError(.missingIdentifier).because("neither the token nor the body names a number")
    case (let own?, let text?) where mayRepeatToken:
      guard own.description == text else {
        throw APIError(.invalidTokenContext).because("the token is for another number than the body")
      }
      return try existing(own)
    case (let own?, let text?) where token.isLenient && text == own.description: return try existing(own)
    case (_?, _?): throw APIError(.unnecessaryIdentifier).because("both the token and the body name a number")
    case (let own?, nil): return try existing(own)
    case (nil, let text?):
      guard let number = PhoneNumber(text) else {
        throw APIError(.identifierNotFound).because("no number has so few digits")
      }
      return try existing(number)
    }
  }

  /// Source: contract 14.
  func existing(_ number: PhoneNumber) throws -> Subscriber {
    let validity = try sandbox.numbers.validity(of: number)
    guard validity == .valid else {
      throw APIError(.identifierNotFound).because(NumberPlan.explanation(of: validity, number))
    }
    if settings.unknownNumbers == .notFound, try !sandbox.subscribers.contains(number) {
      throw APIError(.identifierNotFound).because("\(number) has no record, and unknownNumbers is 404")
    }
    let subscriber = try sandbox.subscribers[number]
    guard !subscriber.isDeactivated(at: now) else {
      throw APIError(.identifierNotFound).because("\(number) is out of service")
    }
    return subscriber
  }

  /// Source: contract 14.
  func requireMobile(_ subscriber: Subscriber) throws {
    guard subscriber.lineType == .mobile else {
      throw APIError(.serviceNotApplicable)
        .because("\(subscriber.number) is no mobile line but \(subscriber.lineType.rawValue)")
    }
  }

  /// Source: contract 6.
  func requireDevice(of subscriber: Subscriber) throws {
    guard subscriber.simCard == .connected else {
      throw APIError(.serviceNotApplicable)
        .because("\(subscriber.number) was in no device yet: its simCard is \(subscriber.simCard.rawValue)")
    }
  }

  /// Consent that was withdrawn since the token was issued. Source: contract 2.3.
  func requireConsent(of subscriber: Subscriber) throws {
    guard token.isThreeLegged, let purpose = token.purpose else { return }
    let answers = try scopes.map {
      try Permission(of: subscriber.number, to: purpose, for: $0, in: sandbox).answer
    }
    guard answers.contains(.granted) else {
      throw APIError(.permissionDenied).because(
        "\(subscriber.number) has withdrawn its consent to \(purpose)")
    }
  }
}
