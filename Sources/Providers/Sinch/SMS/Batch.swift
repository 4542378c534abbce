import ProviderKit

/// One text to up to 1000 numbers. Source: `senders.md` 7.
struct Batch: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case text = "mt_text"
    case binary = "mt_binary"
    case media = "mt_media"
  }

  /// Which reports are sent to the callback URL.
  enum Reports: String, CaseIterable, Sendable {
    case none
    case summary
    case full
    case perRecipient = "per_recipient"
    case perRecipientFinal = "per_recipient_final"
  }

  var id = ""
  var plan = ""
  var ordinal = 0
  /// Digits without a plus sign.
  var to: [String] = []
  /// Nil: the plan's default.
  var from: String?
  /// A text, in Base64 for binary ones; an object for media.
  var body = JSON.null
  var udh: String?
  var kind = Kind.text
  /// `{name: {number: value, default: value}}`
  var parameters: JSON?
  var reports = Reports.none
  var createdAt = Timestamp.earliest
  var modifiedAt = Timestamp.earliest
  var sendAt: Timestamp?
  var expireAt = Timestamp.latest
  var callbackURL: String?
  var clientReference: String?
  var expectsFeedback = false
  var isFlash = false
  var isTruncated: Bool?
  /// The most parts of a text; nil: any number.
  var maxParts: Int?
  var typeOfNumber: Int?
  var numberingPlan: Int?
  var isCanceled = false

  static let schema = Schema<Batch>([
    .required("id", \.id, .string), .required("plan", \.plan, .string),
    .required("ordinal", \.ordinal, .ordinal), .required("to", \.to, .array(of: .string)),
    .optional("from", \.from, .string), .required("body", \.body, .json), .optional("udh", \.udh, .string),
    .required("kind", \.kind, .word), .optional("parameters", \.parameters, .json),
    .required("reports", \.reports, .word), .required("createdAt", \.createdAt, .timestamp),
    .required("modifiedAt", \.modifiedAt, .timestamp), .optional("sendAt", \.sendAt, .timestamp),
    .required("expireAt", \.expireAt, .timestamp), .optional("callbackUrl", \.callbackURL, .string),
    .optional("clientReference", \.clientReference, .string),
    .required("feedback", \.expectsFeedback, .boolean), .required("flash", \.isFlash, .boolean),
    .optional("truncated", \.isTruncated, .boolean), .optional("maxParts", \.maxParts, .count),
    .optional("typeOfNumber", \.typeOfNumber, .count),
    .optional("numberingPlan", \.numberingPlan, .count),
    .required("canceled", \.isCanceled, .boolean),
  ])

  static let table = RecordTable("batch", of: SinchProvider.name, schema) { Batch() }

  /// A new one, without what its request says.
  init(of plan: Plan, in sandbox: Sandbox) {
    self.plan = plan.id
    ordinal = sandbox.nextOrdinal()
    createdAt = sandbox.clock.now
    modifiedAt = createdAt
    id = SMSID.text("batch", ordinal, at: createdAt, in: sandbox)
  }

  /// An empty one in the place of another; nil: for a dry run.
  init(replacing earlier: Batch?) {
    guard let earlier else { return }
    (id, plan, ordinal, createdAt) = (earlier.id, earlier.plan, earlier.ordinal, earlier.createdAt)
  }

  private init() {}

  /// The batch of the path.
  static func named(by context: SMSContext) throws -> Batch {
    let id = context.request[parameter: "batch"]
    guard let batch = try table.find(id, in: context.sandbox), batch.plan == context.plan.id else {
      throw SMSError(.notFound).because("the service plan \(context.plan.id) has no batch \(id)")
    }
    return batch
  }

  /// Nil if no batch has the ordinal.
  static func find(_ ordinal: Int, in sandbox: Sandbox) throws -> Batch? {
    let found = try table.list(from: .after(ordinal - 1), limit: 1, in: sandbox).first
    return found?.position == ordinal ? found?.record : nil
  }

  func save(in sandbox: Sandbox) throws {
    try Self.table.save(self, as: id, ordinal: ordinal, in: sandbox)
  }

  /// Where its reports go; nil: nowhere.
  func callbackURL(_ plan: Plan?) -> String? {
    let url = callbackURL ?? plan?.options.callbackURL
    return url?.isEmpty == true ? nil : url
  }

  func write(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("to", to)
    if let from { json.member("from", from) }
    json.member("canceled", isCanceled)
    if let parameters { json.member("parameters", parameters) }
    json.member("body", body)
    if let udh { json.member("udh", udh) }
    json.member("type", kind.rawValue)
    json.member("created_at", createdAt.iso8601Milliseconds)
    json.member("modified_at", modifiedAt.iso8601Milliseconds)
    json.member("delivery_report", reports.rawValue)
    if let sendAt { json.member("send_at", sendAt.iso8601Milliseconds) }
    json.member("expire_at", expireAt.iso8601Milliseconds)
    if let callbackURL { json.member("callback_url", callbackURL) }
    if let clientReference { json.member("client_reference", clientReference) }
    json.member("feedback_enabled", expectsFeedback)
    json.member("flash_message", isFlash)
    if let isTruncated { json.member("truncate_concat", isTruncated) }
    if let maxParts { json.member("max_number_of_message_parts", maxParts) }
    if let typeOfNumber { json.member("from_ton", typeOfNumber) }
    if let numberingPlan { json.member("from_npi", numberingPlan) }
  }
}

/// ULIDs: 26 characters that begin with their time.
enum SMSID {
  static func text(
    _ label: StaticString, _ ordinal: Int, at time: Timestamp, in sandbox: Sandbox
  ) -> String {
    ULIDText.text(sandbox.entropy.timeOrdered(label, ordinal, at: time)).uppercased()
  }
}
