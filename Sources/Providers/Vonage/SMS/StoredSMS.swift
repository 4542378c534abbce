import ProviderKit

/// What is kept of a text besides the carrier's message, for its receipts and for replies.
struct StoredSMS: Equatable, Sendable {
  enum MessageID: String, CaseIterable {
    case uuid
    /// 16 hex digits, as the provider used to have.
    case hex
  }

  /// Of each part. The first one is the reference of the carrier's message.
  var ids: [String] = []
  /// The account's key.
  var account = ""
  var sender = ""
  /// Digits without a plus sign.
  var receiver = ""
  /// Country and network code.
  var network = ""
  /// Of a part, in euros.
  var price = ""
  var clientReference: String?
  /// Where its receipts go; nil: nowhere.
  var receiptURL: String?
  /// The position in the table; the ids follow from it.
  private var ordinal = 0

  private static let schema = Schema<StoredSMS>([
    .required("ids", \.ids, .array(of: .string, maxItems: 100)),
    .required("account", \.account, .string),
    .required("sender", \.sender, .string),
    .required("receiver", \.receiver, .string),
    .required("network", \.network, .string),
    .required("price", \.price, .string),
    .optional("clientReference", \.clientReference, .string),
    .optional("receiptUrl", \.receiptURL, .string),
    .required("ordinal", \.ordinal, .ordinal),
  ])

  private static let table = RecordTable("sms", of: VonageProvider.name, schema) { StoredSMS() }

  private init() {}

  init(parts: Int, form: MessageID, in sandbox: Sandbox) {
    let ordinal = sandbox.nextOrdinal()
    self.ordinal = ordinal
    ids = (1...max(1, parts)).map { part in
      let digits = sandbox.entropy.identifier("vonage sms", ordinal, part)
      return form == .uuid ? UUIDText.version4(digits) : digits.prefix(16).uppercased()
    }
  }

  /// That of a message of the carrier; nil for a message of another API.
  static func find(of message: Message, in sandbox: Sandbox) throws -> StoredSMS? {
    guard message.provider == VonageProvider.name, message.channel == .sms else { return nil }
    return try table.find(message.reference, in: sandbox)
  }

  func save(in sandbox: Sandbox) throws {
    try Self.table.deleteOldest(in: sandbox)
    try Self.table.save(self, as: ids[0], ordinal: ordinal, in: sandbox)
  }
}
