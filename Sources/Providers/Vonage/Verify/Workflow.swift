import ProviderKit

/// The channels of Verify v2. Source: contract 3.
enum WorkflowChannel: String, CaseIterable {
  case silent = "silent_auth"
  case sms
  case rcs
  case whatsapp
  /// The person answers yes or no; older clients send it.
  case interactive = "whatsapp_interactive"
  case voice
  case email

  var channel: Channel {
    switch self {
    case .silent: .silent
    case .sms: .sms
    case .rcs: .rcs
    case .whatsapp, .interactive: .whatsapp
    case .voice: .call
    case .email: .email
    }
  }
}

/// One channel of a request. Source: contract 3 and 4.
struct WorkflowEntry: Equatable {
  var channel = WorkflowChannel.sms
  /// E.164, or an email address in lower case.
  var destination = ""
  var sender: String?
  var appHash: String?
  /// True if the code of the channel before is sent again.
  var reusesCode = false
  var redirectURL: String?
  /// False: the URL of a silent authentication is given without asking if the network supports it.
  var checksCoverage = true
  /// For silent authentication: a token is checked, not a code.
  var isAdvanced = false
  /// For silent authentication: the last digit of the number chooses the outcome.
  var isSimulated = false

  var number: PhoneNumber? { PhoneNumber(destination) }

  /// The number that silent authentication proves; nil for other channels.
  var silentNumber: PhoneNumber? { channel == .silent ? number : nil }

  static let schema = Schema<WorkflowEntry>(
    nil, "",
    [
      .required("channel", \.channel, .word),
      .required("to", \.destination, .string),
      .optional("from", \.sender, .string),
      .optional("appHash", \.appHash, .string),
      .field("reusesCode", \.reusesCode, .boolean, default: false),
      .optional("redirectUrl", \.redirectURL, .string),
      .field("checksCoverage", \.checksCoverage, .boolean, default: true),
      .field("isAdvanced", \.isAdvanced, .boolean, default: false),
      .field("isSimulated", \.isSimulated, .boolean, default: false),
    ])
}

/// What is stored with a verification of Verify v2, as its details.
struct StoredRequest: VerificationRecord {
  var brand = ""
  var locale = "en-us"
  var channelTimeout = 180
  var clientRef: String?
  var codeLength = 4
  var customCode: String?
  var templateID: String?
  /// The application that has started it and gets the webhooks; nil if a key has.
  var application: String?
  /// True if the velocity rule blocks its channels.
  var isBlocked = false
  var workflow: [WorkflowEntry] = []

  static let schema = Schema<StoredRequest>(
    nil, "",
    [
      .required("brand", \.brand, .string),
      .field("locale", \.locale, .string, default: "en-us"),
      .field("channelTimeout", \.channelTimeout, .count, default: 180),
      .optional("clientRef", \.clientRef, .string),
      .field("codeLength", \.codeLength, .integer(4...10), default: 4),
      .optional("customCode", \.customCode, .string),
      .optional("templateId", \.templateID, .string),
      .optional("application", \.application, .string),
      .field("isBlocked", \.isBlocked, .boolean, default: false),
      .required(
        "workflow", \.workflow, .objects(WorkflowEntry.schema, maxItems: 3, from: { WorkflowEntry() })),
    ])

  /// Nil for a verification of another API.
  init?(of verification: Verification) throws {
    guard let record: Self = try verification.details.optionalRecord() else { return nil }
    self = record
  }

  /// The caller's request that the path names, if it is in progress; else 404. Source: contract 5.
  static func pending(
    _ context: RequestContext
  ) throws -> (verification: Verification, stored: StoredRequest) {
    let id = context.pathID
    guard let found = try RequestID.verification(id, in: context.sandbox),
      found.claim.owner == context.caller.account, let stored = try Self(of: found)
    else {
      throw APIError.requestNotFound(id).because(
        "the account has no request \(id)", change: "Send the request_id that the answer to the start has.")
    }
    guard found.isPending(at: context.sandbox.clock.now) else {
      throw APIError.requestNotFound(id).because(MissingReason.ended(found).reason)
    }
    return (found, stored)
  }

  init?(stored text: String) throws {
    let fields = try Fields(Array(text.utf8))
    guard fields.has("workflow") else { return nil }
    self.init()
    try Self.schema.merge(fields, into: &self)
  }

  init() {}

  var encoded: String {
    JSONWriter.text { Self.schema.write(self, to: &$0) }
  }

  /// How long a channel lasts. Source: contract 4.
  func timeout(of entry: WorkflowEntry, _ settings: Settings) -> Duration {
    if entry.channel == .silent { return .seconds(settings.silentTimeout) }
    return .seconds(settings.priceModel == .success ? max(channelTimeout, 60) : channelTimeout)
  }

  /// The entry of a step; nil for a step of another verification.
  func entry(of step: Step) -> WorkflowEntry? {
    workflow[safe: step.position - 1]
  }
}
