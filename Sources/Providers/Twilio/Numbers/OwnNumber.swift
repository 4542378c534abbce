import ProviderKit

/// A phone number of the account. All accounts of a sandbox have the same ones. Source: `senders.md` 4
struct OwnNumber: Equatable, Sendable {
  /// E.164.
  var number = ""
  /// Nil: the number as people write it.
  var friendlyName: String?
  var message = Address()
  var messageFallback = Address()
  var voice = Address()
  var voiceFallback = Address()
  var status = Address()
  /// The last change by a client; nil without one.
  var changedAt: Timestamp?

  /// One of `numbers` in seeds.
  static let schema = Schema<OwnNumber>(
    "TwilioNumber", "A phone number of the account.",
    [
      .required("phoneNumber", \.number, .e164, "The number."),
      .nullable(
        "friendlyName", \.friendlyName, .string(1...64), "The name; null: the number in national format."),
      .field(
        "smsUrl", \.message.url, .webURL, default: "", "What a text to the number calls; empty: nothing."),
      .field("smsMethod", \.message.method, .word, default: .post, "How it is called."),
      .field(
        "smsFallbackUrl", \.messageFallback.url, .webURL, default: "",
        "What is called instead if smsUrl fails, or answers no TwiML."),
      .field("smsFallbackMethod", \.messageFallback.method, .word, default: .post, "How it is called."),
      .field(
        "voiceUrl", \.voice.url, .webURL, default: "", "For calls to the number, which nobody makes here."),
      .field("voiceMethod", \.voice.method, .word, default: .post, "As smsMethod."),
      .field("voiceFallbackUrl", \.voiceFallback.url, .webURL, default: "", "As voiceUrl."),
      .field("voiceFallbackMethod", \.voiceFallback.method, .word, default: .post, "As smsMethod."),
      .field("statusCallback", \.status.url, .webURL, default: "", "As voiceUrl."),
      .field("statusCallbackMethod", \.status.method, .word, default: .post, "As smsMethod."),
    ])

  private static let table = RecordTable(
    "number", of: TwilioProvider.name,
    Schema<OwnNumber>(schema.fields + [.nullable("changedAt", \.changedAt, .timestamp)])
  ) { OwnNumber() }
}

/// Storage. Numbers among the setting `senders` belong to the account, too. Without any, it has the test
/// number.
extension OwnNumber {
  /// Those that seeds have named or clients have changed, oldest first.
  static func stored(in sandbox: Sandbox) throws -> [OwnNumber] { try table.all(in: sandbox) }

  static func all(in sandbox: Sandbox) throws -> [OwnNumber] {
    let stored = try stored(in: sandbox)
    let known = Set(stored.map(\.number))
    let senders = try Settings.current(in: sandbox).senders
    let others = senders.filter { PhoneNumber($0) != nil && !known.contains($0) }.map {
      OwnNumber(number: $0)
    }
    let all = stored + others
    return all.isEmpty ? [OwnNumber(number: MagicNumber.sender)] : all
  }

  static func find(_ number: String, in sandbox: Sandbox) throws -> OwnNumber? {
    if let stored = try table.find(number, in: sandbox) { return stored }
    let isSender = try Settings.current(in: sandbox).senders.contains(number)
    guard try isSender || number == MagicNumber.sender && all(in: sandbox).first?.number == number else {
      return nil
    }
    return PhoneNumber(number).map { _ in OwnNumber(number: number) }
  }

  /// The number of the path.
  static func named(by context: RequestContext) throws -> OwnNumber {
    let (account, sid) = (try AccountSID.named(by: context), context.request[parameter: "number"])
    let digits =
      sid.hasPrefix(SidKind.phoneNumber.rawValue)
      ? context.sandbox.entropy.ordinals(of: sid.dropFirst(2), under: "PN")?.0 : nil
    guard let digits, let found = try find("+\(digits)", in: context.sandbox) else {
      throw context.notFound("no number \(sid) of account \(account)")
    }
    return found
  }

  /// Replaces one that a seed or a client has set.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var number = OwnNumber()
    try schema.merge(fields, into: &number)
    try number.save(in: sandbox)
  }

  func save(in sandbox: Sandbox) throws {
    if try Self.table.find(number, in: sandbox) == nil { try Self.table.requireRoom(in: sandbox) }
    try Self.table.save(self, as: number, in: sandbox)
  }

  func sid(in sandbox: Sandbox) -> String {
    sandbox.entropy.labelledIdentifier("PN", Int(number.dropFirst()) ?? 0)
  }

  enum Kind: String {
    case local, mobile
    case tollFree = "tollfree"
  }

  /// In North America, numbers do not say if they are mobile.
  func kind(in sandbox: Sandbox) throws -> Kind {
    guard let number = PhoneNumber(number) else { return .local }
    let type = try sandbox.subscribers[number].lineType
    if type == .tollFree { return .tollFree }
    return number.callingCode == "1" || type != .mobile ? .local : .mobile
  }
}
