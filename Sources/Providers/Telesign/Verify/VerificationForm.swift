import ProviderKit

/// The body of `POST /verification`. Unknown members are ignored. Source: contract 4.2.
struct VerificationForm {
  let recipient: Recipient
  let policy: VerificationPolicy
  /// The caller's own code.
  let securityFactor: String?
  let details: VerificationDetails

  init(_ context: RequestContext) throws {
    let fields = try RequestBody.json(context.request)
    recipient = try Recipient(fields.object("recipient"), context)
    policy = try VerificationPolicy(fields.optionalObjects("verification_policy"))
    securityFactor = try fields.optionalText("security_factor", expected: "a string of 3 to 10 digits") {
      (3...10).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isDigit }
    }
    var details = VerificationDetails(recipient, policy)
    details.deviceRegistration = try fields.optionalText("device_registration", expected: "stamp") {
      $0 == "stamp"
    }
    details.pushRegistration = try fields.optionalBool("push_registration")
    details.externalID = try Self.externalID(fields)
    details.templateName = try Self.templateName(fields)
    details.voiceLanguage = try fields.optionalString("voice_lang") ?? details.voiceLanguage
    details.callbackURL = try Self.callbackURL(fields, context)
    try recipient.checkReachable(by: policy, registersDevice: details.registersDevice)
    self.details = details
  }

  /// The start of the verification. Methods that need a registered device are skipped while it is registered.
  func start(_ context: RequestContext) -> Fallbacks.Start {
    let steps = policy.entries.map { entry in
      Fallbacks.Start.PlannedStep(
        entry.method.channel, timeout: .seconds(entry.seconds),
        isSkipped: details.registersDevice && !entry.method.channel.carriesCode)
    }
    let claim = Claim(
      provider: TelesignProvider.name, owner: context.customer, destination: recipient.destination)
    var start = Fallbacks.Start(claim, steps: steps, rules: context.settings.verificationRules)
    start.customCode = securityFactor
    start.details = ProviderDetails(details)
    return start
  }

  private static func externalID(_ fields: Fields) throws -> String? {
    guard let text = try fields.optionalString("external_id") else { return nil }
    guard text.utf8.count <= 100, text.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw APIError(3103, in: .omnichannel).because("external_id: expected up to 100 ASCII characters")
    }
    return text
  }

  private static func templateName(_ fields: Fields) throws -> String? {
    try fields.optionalObject("message_template")?
      .optionalText(
        "name", expected: "lower-case letters, digits and underscores", where: MessageTemplate.isName)
  }

  private static func callbackURL(_ fields: Fields, _ context: RequestContext) throws -> String? {
    guard let url = try fields.optionalString("callback_url") else { return nil }
    try CallbackURL.check(url, in: context)
    return url
  }
}

/// Whom to verify. Source: contract 4.2.
struct Recipient: Equatable {
  /// Digits only.
  let phoneNumber: String?
  let number: ParsedNumber?
  let pushToken: String?
  let email: String?

  init(_ fields: Fields, _ context: RequestContext) throws {
    if let unknown = fields.names.first(where: { !Self.members.contains($0) }) {
      throw APIError.invalidRequest(in: .omnichannel).because(
        "recipient.\(unknown): unknown field; expected one of \(Self.members.joined(separator: ", "))")
    }
    let text = try Self.phoneNumber(fields)
    phoneNumber = try text.map { try ParsedNumber.toSendTo($0, in: context).digits }
    number = phoneNumber.flatMap { ParsedNumber($0, Settings()) }
    pushToken = try fields.optionalText("push_app_token", expected: "a token") { !$0.isEmpty }
    email = try fields.optionalString("email")
    if let email, !EmailAddress.isValid(email) { throw APIError(3119, in: .omnichannel) }
    guard phoneNumber != nil || pushToken != nil || email != nil else {
      throw APIError(3110, in: .omnichannel)
        .because("recipient: expected at least one of \(Self.members.joined(separator: ", "))")
    }
  }

  /// Throws if a method of the policy needs an address that is missing. A device that is being registered has
  /// no push token yet.
  func checkReachable(by policy: VerificationPolicy, registersDevice: Bool) throws {
    for entry in policy.entries {
      switch entry.method {
      case .email where email == nil: throw APIError(3309, in: .omnichannel)
      case .email: break
      case _ where phoneNumber == nil: throw APIError(3302, in: .omnichannel)
      case .push where pushToken == nil && !registersDevice:
        throw APIError(3110, in: .omnichannel)
          .because("recipient.push_app_token: missing, and the method push needs it")
      default: break
      }
    }
  }

  /// The number in E.164; without a number the email address.
  var destination: String { number?.phoneNumber.description ?? email?.lowercased() ?? "" }

  func write(to json: inout JSONWriter) {
    if let phoneNumber { json.member("phone_number", phoneNumber) }
    if let pushToken { json.member("push_app_token", pushToken) }
    if let email { json.member("email", email) }
  }

  /// Reads what `write` wrote.
  init(stored fields: Fields) throws {
    phoneNumber = try fields.optionalString("phone_number")
    number = phoneNumber.flatMap { ParsedNumber($0, Settings()) }
    pushToken = try fields.optionalString("push_app_token")
    email = try fields.optionalString("email")
  }

  private static let members = ["phone_number", "push_app_token", "email"]

  /// A number of another JSON type is an invalid number, not an invalid request.
  private static func phoneNumber(_ fields: Fields) throws -> String? {
    do {
      return try fields.optionalString(members[0])
    } catch {
      throw APIError(3101, in: .omnichannel).because("\(error)")
    }
  }
}
