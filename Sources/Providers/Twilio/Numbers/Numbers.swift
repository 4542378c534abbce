import ProviderKit

// The resource `…/IncomingPhoneNumbers`, from which apps choose a sender. Source: `senders.md` 4.

func listNumbers(_ context: RequestContext) throws -> Response { try listNumbers(context, nil) }

/// Only those of a kind; nil: all.
func listNumbers(_ context: RequestContext, _ kind: OwnNumber.Kind?) throws -> Response {
  let account = try AccountSID.named(by: context)
  let query = try context.request.query
  let (digits, name) = (query.text("PhoneNumber"), query.text("FriendlyName"))
  let found = try OwnNumber.all(in: context.sandbox)
    .filter { number in
      guard digits.map(number.has) ?? true, name == nil || number.shownName == name else { return false }
      return try kind == nil || number.kind(in: context.sandbox) == kind
    }
  let page = try Page(of: context, found, filters: ["PhoneNumber", "FriendlyName"])
  let bodies = try page.records.map { try NumberBody($0, of: account, in: context.sandbox) }
  return page.flatResponse(key: "incoming_phone_numbers", bodies) { $0.write(to: &$1) }
}

func fetchNumber(_ context: RequestContext) throws -> Response {
  try NumberBody(OwnNumber.named(by: context), of: AccountSID.named(by: context), in: context.sandbox)
    .response
}

func updateNumber(_ context: RequestContext) throws -> Response {
  var number = try OwnNumber.named(by: context)
  try number.apply(context.request.form)
  number.changedAt = context.sandbox.clock.now
  try number.save(in: context.sandbox)
  return try NumberBody(number, of: AccountSID.named(by: context), in: context.sandbox).response
}

/// Numbers of others that the account may show in calls; there are none.
func listCallerIDs(_ context: RequestContext) throws -> Response {
  _ = try AccountSID.named(by: context)
  let page = try Page<OwnNumber>(of: context, [], filters: ["PhoneNumber", "FriendlyName"])
  return page.flatResponse(key: "outgoing_caller_ids", page.records) { _, _ in }
}

extension OwnNumber {
  var shownName: String { friendlyName ?? PhoneNumber(number)?.nationalFormat ?? number }

  /// True if the number has these digits somewhere; `*` is any digit.
  fileprivate func has(_ pattern: String) -> Bool {
    let (pattern, text) = (Array(pattern.utf8), Array(number.utf8))
    return (0...max(0, text.count - pattern.count)).contains { start in
      let part = text[start...].prefix(pattern.count)
      return part.count == pattern.count
        && zip(part, pattern).allSatisfy { $0 == $1 || $1 == UInt8(ascii: "*") && $0.isDigit }
    }
  }

  /// Sets what the form of an update has.
  fileprivate mutating func apply(_ form: Form) throws(APIError) {
    if let name = form.text("FriendlyName") {
      guard name.count <= 64 else {
        throw .invalidParameter("FriendlyName", expected: "at most 64 characters")
      }
      friendlyName = name
    }
    try message.apply(form, "SmsUrl", "SmsMethod")
    try messageFallback.apply(form, "SmsFallbackUrl", "SmsFallbackMethod")
    try voice.apply(form, "VoiceUrl", "VoiceMethod")
    try voiceFallback.apply(form, "VoiceFallbackUrl", "VoiceFallbackMethod")
    try status.apply(form, "StatusCallback", "StatusCallbackMethod")
  }
}

extension Address {
  /// An empty URL removes it.
  fileprivate mutating func apply(_ form: Form, _ urlName: String, _ methodName: String) throws(APIError) {
    if let text = form[urlName] {
      guard text.isEmpty || AbsoluteURL(text) != nil else {
        throw APIError(code: 21402, message: "\(urlName) is not a valid URL: \(text)")
      }
      url = text
    }
    if let text = form.text(methodName) {
      guard let known = Address.Method(rawValue: text.uppercased()) else {
        throw APIError(code: 21403).because("\(methodName): expected GET or POST; found \(text.quoted)")
      }
      method = known
    }
  }
}

/// A number in responses.
private struct NumberBody {
  private let number: OwnNumber
  private let kind: OwnNumber.Kind
  private let account: String
  private let sandbox: Sandbox

  init(_ number: OwnNumber, of account: String, in sandbox: Sandbox) throws {
    self.number = number
    self.account = account
    self.sandbox = sandbox
    kind = try number.kind(in: sandbox)
  }

  var response: Response { .json(200) { write(to: &$0) } }

  func write(to json: inout JSONWriter) {
    let sid = number.sid(in: sandbox)
    json.member("account_sid", account)
    json.member("address_requirements", "none")
    json.null("address_sid")
    json.member("api_version", "2010-04-01")
    json.member("beta", false)
    json.object("capabilities") {
      $0.member("voice", true)
      $0.member("sms", true)
      $0.member("mms", true)
      $0.member("fax", false)
    }
    json.member("date_created", sandbox.startedAt.rfc2822)
    json.member("date_updated", (number.changedAt ?? sandbox.startedAt).rfc2822)
    json.member("emergency_status", "Inactive")
    json.null("emergency_address_sid")
    json.member("emergency_address_status", "unregistered")
    json.member("friendly_name", number.shownName)
    json.null("identity_sid")
    json.member("origin", "twilio")
    json.member("phone_number", number.number)
    json.member("sid", sid)
    json.null("sms_application_sid")
    json.member("sms_fallback_method", number.messageFallback.method.rawValue)
    json.member("sms_fallback_url", number.messageFallback.url)
    json.member("sms_method", number.message.method.rawValue)
    json.member("sms_url", number.message.url)
    json.member("status_callback", number.status.url)
    json.member("status_callback_method", number.status.method.rawValue)
    json.null("trunk_sid")
    json.member("uri", "/2010-04-01/Accounts/\(account)/IncomingPhoneNumbers/\(sid).json")
    json.null("voice_application_sid")
    json.member("voice_caller_id_lookup", false)
    json.member("voice_fallback_method", number.voiceFallback.method.rawValue)
    json.member("voice_fallback_url", number.voiceFallback.url)
    json.member("voice_method", number.voice.method.rawValue)
    json.member("voice_url", number.voice.url)
    json.null("bundle_sid")
    json.member("voice_receive_mode", "voice")
    json.member("status", "in-use")
    json.member("type", kind.rawValue)
  }
}
