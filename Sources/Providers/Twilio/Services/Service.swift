import ProviderKit

/// A Verify Service. Nil parameters have the provider's default. Source: contract 3.
///
/// What each parameter means, and which values it takes: `ServiceParameters.swift`.
struct Service: Equatable {
  let sid: String
  /// SID of the account that owns it.
  let account: String
  let createdAt: Timestamp
  var updatedAt: Timestamp

  var friendlyName: String?
  var codeLength: Int?
  var lookupEnabled: Bool?
  var skipSmsToLandlines: Bool?
  var dtmfInputRequired: Bool?
  var ttsName: String?
  var psd2Enabled: Bool?
  var doNotShareWarningEnabled: Bool?
  var customCodeEnabled: Bool?
  var pushIncludeDate: Bool?
  var pushApnCredentialSid: String?
  var pushFcmCredentialSid: String?
  var totpIssuer: String?
  var totpTimeStep: Int?
  var totpCodeLength: Int?
  var totpSkew: Int?
  var defaultTemplateSid: String?
  var whatsappMsgServiceSid: String?
  var whatsappFrom: String?
  var relyingPartyId: String?
  var relyingPartyName: String?
  var relyingPartyOrigins: [String]?
  var authenticatorAttachment: String?
  var discoverableCredentials: String?
  var userVerification: String?
  var verifyEventSubscriptionEnabled: Bool?

  /// The digits of its codes, also where `codeLength` is not set.
  var digits: Int { codeLength ?? 6 }

  init(sid: String, account: String, at now: Timestamp) {
    self.sid = sid
    self.account = account
    createdAt = now
    updatedAt = now
  }
}

/// Storage.
extension Service {
  static let section = RecordStore.Section(provider: TwilioProvider.name, kind: "service")

  /// The Service with this SID; nil if there is none, or if the caller cannot see it.
  static func find(_ sid: String, for caller: Caller, in sandbox: Sandbox) throws -> Shared<Service>? {
    let shared = try sandbox.records.read(sid, in: section) { try Service($0) }
    guard let shared, caller.canSee(shared.value.account) else { return nil }
    return shared
  }

  /// Creates a Service with the SID that an unknown account asked for; nil for known accounts and malformed
  /// SIDs.
  static func adopt(_ sid: String, for caller: Caller, in sandbox: Sandbox) throws -> Shared<Service>? {
    guard caller.isUnknown, SidKind.service.matches(sid) else { return nil }
    var service = Service(sid: sid, account: caller.account, at: sandbox.clock.now)
    service.friendlyName = defaultName
    try service.keep(in: sandbox)
    return Shared(service)
  }

  /// Name of Services that the sandbox creates by itself.
  static let defaultName = "Sandbox Service"

  init(_ item: RecordStore.Item) throws {
    let fields = try Fields(Array(item.record.utf8))
    let created = Timestamp(milliseconds: Int64(try fields.int("createdAt")))
    self.init(sid: item.key, account: try fields.string("account"), at: created)
    updatedAt = Timestamp(milliseconds: Int64(try fields.int("updatedAt")))
    try Self.parameterSchema.merge(fields.object("settings"), into: &self)
  }

  /// `ordinal` is the number that the Service's SID was made from; lists are in the order of ordinals.
  func keep(in sandbox: Sandbox, ordinal: Int? = nil) throws {
    let record = JSONWriter.object { json in
      json.member("account", account)
      json.member("createdAt", createdAt.milliseconds)
      json.member("updatedAt", updatedAt.milliseconds)
      json.object("settings") { Self.parameterSchema.write(self, to: &$0) }
    }
    let item = RecordStore.Item(
      ordinal: ordinal ?? sandbox.nextOrdinal(), key: sid, record: String(decoding: record, as: UTF8.self))
    try sandbox.records.save(item, of: account, in: Self.section)
  }
}

/// The resource in responses, with defaults for parameters that are not set. Source: contract 3.
///
/// An extension of the shared object, so that no response copies a Service with its thirty members.
extension Shared<Service> {
  private var service: Service { _read { yield value } }

  func body(in context: RequestContext) -> [UInt8] { JSONWriter.object { write(to: &$0, in: context) } }

  func write(to json: inout JSONWriter, in context: RequestContext) {
    json.member("sid", service.sid)
    json.member("account_sid", context.caller.account)
    json.member("friendly_name", service.friendlyName)
    json.member("code_length", service.digits)
    json.member("lookup_enabled", service.lookupEnabled ?? false)
    json.member("psd2_enabled", service.psd2Enabled ?? false)
    json.member("skip_sms_to_landlines", service.skipSmsToLandlines ?? false)
    json.member("dtmf_input_required", service.dtmfInputRequired ?? true)
    json.member("tts_name", service.ttsName)
    json.member("do_not_share_warning_enabled", service.doNotShareWarningEnabled ?? false)
    json.member("custom_code_enabled", service.customCodeEnabled ?? false)
    writeFactors(to: &json, in: context)
    json.member("default_template_sid", service.defaultTemplateSid)
    json.member("verify_event_subscription_enabled", service.verifyEventSubscriptionEnabled ?? false)
    service.createdAt.write(iso8601: "date_created", to: &json)
    service.updatedAt.write(iso8601: "date_updated", to: &json)
    writeLinks(to: &json, url: String(joining: context.baseURL, "/v2/Services/", service.sid))
  }

  /// Source: contract 20.
  private func writeFactors(to json: inout JSONWriter, in context: RequestContext) {
    json.object("push") {
      $0.member("include_date", service.pushIncludeDate ?? context.settings.pushIncludeDate)
      $0.member("apn_credential_sid", service.pushApnCredentialSid)
      $0.member("fcm_credential_sid", service.pushFcmCredentialSid)
    }
    json.object("totp") {
      $0.member("issuer", service.totpIssuer ?? service.friendlyName)
      $0.member("time_step", service.totpTimeStep ?? 30)
      $0.member("code_length", service.totpCodeLength ?? 6)
      $0.member("skew", service.totpSkew ?? 1)
    }
    json.object("whatsapp") {
      $0.member("msg_service_sid", service.whatsappMsgServiceSid)
      $0.member("from", service.whatsappFrom)
    }
    json.object("passkeys") { json in
      json.object("relying_party") {
        $0.member("id", service.relyingPartyId)
        $0.member("name", service.relyingPartyName)
        $0.member("origins", service.relyingPartyOrigins)
      }
      json.member("authenticator_attachment", service.authenticatorAttachment)
      json.member("discoverable_credentials", service.discoverableCredentials)
      json.member("user_verification", service.userVerification)
    }
  }

  /// `verification_checks` links to `/VerificationCheck`, in the singular.
  private func writeLinks(to json: inout JSONWriter, url: String) {
    json.member("url", url)
    json.object("links") {
      $0.member("verification_checks", joining: url, "/VerificationCheck")
      $0.member("verifications", joining: url, "/Verifications")
      $0.member("rate_limits", joining: url, "/RateLimits")
      $0.member("messaging_configurations", joining: url, "/MessagingConfigurations")
      $0.member("entities", joining: url, "/Entities")
      $0.member("webhooks", joining: url, "/Webhooks")
      $0.member("access_tokens", joining: url, "/AccessTokens")
    }
  }
}
