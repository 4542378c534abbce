import Domain
import HTTP
import JSON
import ProviderKit

/// A Verify Service: what its owner has set; nil is the vendor's default. Source: contract 3.
struct Service: Equatable {
  /// `VA…`.
  let sid: String
  /// The account it belongs to.
  let account: String
  /// When it was made.
  let createdAt: Timestamp
  /// When it changed last.
  var updatedAt: Timestamp

  /// The name in its messages.
  var friendlyName: String?
  /// Digits of its codes.
  var codeLength: Int?
  /// Whether answers tell about the destination's carrier.
  var lookupEnabled: Bool?
  /// Whether texts to landlines are refused; needs the lookup.
  var skipSmsToLandlines: Bool?
  /// Whether a call asks for a key before it reads the code.
  var dtmfInputRequired: Bool?
  /// The name that calls speak.
  var ttsName: String?
  /// Whether verifications are for payments, with amount and payee.
  var psd2Enabled: Bool?
  /// Whether messages warn against passing the code on.
  var doNotShareWarningEnabled: Bool?
  /// Whether callers may bring their own codes.
  var customCodeEnabled: Bool?
  /// Settings of push factors.
  var pushIncludeDate: Bool?
  var pushApnCredentialSid: String?
  var pushFcmCredentialSid: String?
  /// Settings of TOTP factors.
  var totpIssuer: String?
  var totpTimeStep: Int?
  var totpCodeLength: Int?
  var totpSkew: Int?
  /// The template of messages that name none.
  var defaultTemplateSid: String?
  /// The sender of WhatsApp messages.
  var whatsappMsgServiceSid: String?
  var whatsappFrom: String?
  /// Settings of passkeys.
  var relyingPartyId: String?
  var relyingPartyName: String?
  var relyingPartyOrigins: [String]?
  var authenticatorAttachment: String?
  var discoverableCredentials: String?
  var userVerification: String?
  /// Whether events about its verifications are emitted.
  var verifyEventSubscriptionEnabled: Bool?

  /// A new one with nothing set.
  init(sid: String, account: String, at now: Timestamp) {
    self.sid = sid
    self.account = account
    createdAt = now
    updatedAt = now
  }
}

/// The services of a sandbox, on its records.
extension Service {
  static let section = RecordStore.Section(provider: TwilioProvider.name, kind: "service")

  /// The service that a path names, for a caller who may see it.
  static func find(
    _ sid: String, for caller: Caller, in sandbox: Sandbox
  ) throws -> Shared<Service>? {
    let shared = try sandbox.records.read(sid, in: section) { try Service($0) }
    guard let shared, caller.maySee(shared.value.account) else { return nil }
    return shared
  }

  /// Makes a Service that nobody has created, for an account that nobody has seeded.
  static func adopt(_ sid: String, for caller: Caller, in sandbox: Sandbox) throws -> Service {
    var service = Service(sid: sid, account: caller.account, at: sandbox.clock.now)
    service.friendlyName = "Sandbox Service"
    try service.keep(in: sandbox)
    return service
  }

  /// Reads a record of the records.
  init(_ item: RecordStore.Item) throws {
    let fields = try Fields(Array(item.record.utf8))
    let created = Timestamp(milliseconds: Int64(try fields.int("createdAt")))
    self.init(sid: item.key, account: try fields.string("account"), at: created)
    updatedAt = Timestamp(milliseconds: Int64(try fields.int("updatedAt")))
    try load(fields.object("settings"))
  }

  /// Keeps it under its SID, at a place drawn before, or a new one.
  func keep(in sandbox: Sandbox, ordinal: Int? = nil) throws {
    let record = JSONWriter.object { json in
      json.member("account", account)
      json.member("createdAt", createdAt.milliseconds)
      json.member("updatedAt", updatedAt.milliseconds)
      json.member("settings", settings)
    }
    let item = RecordStore.Item(
      ordinal: ordinal ?? sandbox.nextOrdinal(), key: sid, record: String(decoding: record, as: UTF8.self))
    try sandbox.records.save(item, of: account, in: Self.section)
  }

  /// What was set, by the names that requests have for it.
  var settings: JSON {
    .object(
      ServiceSetting.all.compactMap { setting in
        setting.kind.value(in: self).map { JSON.Member(name: setting.parameter, value: $0) }
      })
  }

  /// Sets what the form names: empty clears.
  mutating func apply(_ form: Form) throws(Problem) {
    form.declare(ServiceSetting.names)
    for setting in ServiceSetting.all {
      guard let text = form[setting.parameter] else { continue }
      guard setting.kind.set(text, in: &self) else { throw .invalid(setting.parameter) }
    }
  }

  /// Sets what a seed names.
  mutating func load(_ settings: Fields) throws(FieldError) {
    for setting in ServiceSetting.all {
      guard let value = try settings.optionalJSON(setting.parameter) else { continue }
      guard let text = value.parameterText, setting.kind.set(text, in: &self) else {
        throw settings.mismatch(setting.parameter, expected: "a value that the vendor takes for it")
      }
    }
  }
}

extension JSON {
  /// A value as a form would have it; nil for what no form can hold.
  fileprivate var parameterText: String? {
    switch self {
    case .bool(let flag): return String(flag)
    case .integer(let number): return String(number)
    case .string(let text): return text
    case .array(let items):
      let texts = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
      return texts.count == items.count ? texts.joined(separator: ",") : nil
    default: return nil
    }
  }
}
