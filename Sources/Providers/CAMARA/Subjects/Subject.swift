import ProviderKit

/// Whom a request is about. Source: contract 4.
enum Subject {
  /// The subscriber that a request is about: that of the token, or that of the number in the body.
  /// `number` is what `optionalPhoneNumber` has read. `mayRepeatToken`: it may be there although the token
  /// names the same, as everywhere in Fall24.
  static func subscriber(
    numbered number: String?, _ context: RequestContext, mayRepeatToken: Bool = false
  ) throws -> Subscriber {
    let subscriber = try known(
      numbered: number, context, mayRepeatToken: mayRepeatToken || context.version.release == .fall24)
    try requireMobile(subscriber)
    try requireConsent(of: subscriber, context)
    return subscriber
  }

  /// The same for a line of any kind.
  static func known(
    numbered number: String?, _ context: RequestContext, mayRepeatToken: Bool = false
  ) throws -> Subscriber {
    switch (context.token.number, number) {
    case (nil, nil):
      throw APIError(.missingIdentifier).because("neither the token nor the body names a number")
    case (let own?, let text?) where mayRepeatToken:
      guard own.description == text else {
        throw APIError(.invalidTokenContext).because("the token is for another number than the body")
      }
      return try existing(own, context)
    case (let own?, let text?) where context.token.isLenient && text == own.description:
      return try existing(own, context)
    case (_?, _?): throw APIError(.unnecessaryIdentifier).because("both the token and the body name a number")
    case (let own?, nil): return try existing(own, context)
    case (nil, let text?):
      guard let number = PhoneNumber(text) else {
        throw APIError(.identifierNotFound).because("no number has so few digits")
      }
      return try existing(number, context)
    }
  }

  /// Source: contract 14.
  static func existing(_ number: PhoneNumber, _ context: RequestContext) throws -> Subscriber {
    let (sandbox, settings) = (context.sandbox, context.settings)
    let validity = try sandbox.numbers.validity(of: number)
    guard validity == .valid else {
      throw APIError(.identifierNotFound).because(NumberPlan.explanation(of: validity, number))
    }
    if settings.unknownNumbers == .notFound, try !sandbox.subscribers.contains(number) {
      throw APIError(.identifierNotFound).because("\(number) has no record, and unknownNumbers is 404")
    }
    let subscriber = try sandbox.subscribers[number]
    guard !subscriber.isDeactivated(at: context.now) else {
      throw APIError(.identifierNotFound).because("\(number) is out of service")
    }
    return subscriber
  }

  /// Source: contract 14.
  static func requireMobile(_ subscriber: Subscriber) throws {
    guard subscriber.lineType == .mobile else {
      throw APIError(.serviceNotApplicable)
        .because("\(subscriber.number) is no mobile line but \(subscriber.lineType.rawValue)")
    }
  }

  /// Source: contract 6.
  static func requireDevice(of subscriber: Subscriber) throws {
    guard subscriber.simCard == .connected else {
      throw APIError(.serviceNotApplicable)
        .because("\(subscriber.number) was in no device yet: its simCard is \(subscriber.simCard.rawValue)")
    }
  }

  /// Consent that was withdrawn since the token was issued. Source: contract 2.3.
  static func requireConsent(of subscriber: Subscriber, _ context: RequestContext) throws {
    guard context.token.isThreeLegged, let purpose = context.token.purpose else { return }
    let answers = try context.scopes.map {
      try Permission(of: subscriber.number, to: purpose, for: $0, in: context.sandbox).answer
    }
    guard answers.contains(.granted) else {
      throw APIError(.permissionDenied).because(
        "\(subscriber.number) has withdrawn its consent to \(purpose)")
    }
  }
}
