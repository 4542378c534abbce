import ProviderKit

/// The body of `POST /v1/omnichannel`. Source: contract 9.2.
struct OmnichannelForm {
  struct Step {
    let channel: Channel
    let text: String
    /// How long to wait for the delivery before the next step.
    let timeout: Duration
  }

  let number: ParsedNumber
  let steps: [Step]
  let metadata: RequestMetadata
  let callbackURL: String?

  init(_ context: RequestContext) throws {
    let body = try RequestBody(context.request)
    let recipient = try body.object("recipient")
    let digits = try recipient?.optionalString("phone_number") ?? body.text("phone_number")
    guard let digits, !digits.isEmpty else { throw APIError(3302, in: context.format) }
    number = try ParsedNumber.toSendTo(digits, in: context)
    guard let message = try body.object("message") else { throw APIError(3303, in: context.format) }
    guard let word = try body.text("message_type") else { throw APIError(3304, in: context.format) }
    guard MessageType(rawValue: word) != nil else {
      throw APIError(3102, in: context.format).because("message_type: expected one of \(MessageType.words)")
    }
    metadata = try RequestMetadata(body, in: context.format)
    callbackURL = try CallbackURL.chosen(by: body.text("callback_url"), in: context)
    steps = try Self.channels(body, context).map { try Self.step($0, message, context) }
  }

  private static func channels(_ body: RequestBody, _ context: RequestContext) throws -> [Fields] {
    guard case .json(let fields) = body, let channels = try fields.optionalObjects("channels"),
      !channels.isEmpty
    else { throw APIError(3300, in: context.format) }
    guard channels.count <= OmnichannelChannel.allCases.count else {
      throw APIError.invalidRequest(in: context.format)
        .because("channels: expected up to \(OmnichannelChannel.allCases.count)")
    }
    return channels
  }

  private static func step(_ fields: Fields, _ message: Fields, _ context: RequestContext) throws -> Step {
    guard let word = try fields.optionalString("channel") else { throw APIError(3301, in: context.format) }
    guard let channel = OmnichannelChannel(rawValue: word) else {
      throw APIError(3100, in: context.format)
        .because("channel: expected one of \(OmnichannelChannel.words)")
    }
    let seconds = try fields.optionalInt("fallback_time") ?? 300
    guard (1...86_400).contains(seconds) else {
      throw APIError.invalidRequest(in: context.format).because("fallback_time: expected 1 to 86400 seconds")
    }
    let content = try channel.contentNames.lazy.compactMap { try message.optionalObject($0) }.first
    guard let content else { throw APIError(3306, in: context.format) }
    return Step(
      channel: channel.channel, text: try MessageTemplate.text(of: content, over: channel, context),
      timeout: .seconds(seconds))
  }
}

/// Source: contract 9.2.
enum OmnichannelChannel: String, CaseIterable {
  case sms
  case mms
  case rcs
  case rbm
  case whatsapp
  case viber

  /// An MMS is sent as its text: the carrier has no pictures.
  var channel: Channel {
    switch self {
    case .sms, .mms: .sms
    case .rcs, .rbm: .rcs
    case .whatsapp: .whatsapp
    case .viber: .viber
    }
  }

  /// The members of `message` that may have the content. `rbm` and `rcs` are the same channel.
  var contentNames: [String] {
    switch self {
    case .rcs: ["rcs", "rbm"]
    case .rbm: ["rbm", "rcs"]
    default: [rawValue]
    }
  }

  func isSupported(by line: LineInfo, at time: Timestamp) -> Bool {
    let subscriber = line.subscriber
    guard !subscriber.isDeactivated(at: time), subscriber.lineType.takesTexts else { return false }
    return switch self {
    case .sms, .viber: true
    case .mms: line.phoneType.hasSIM
    case .rcs, .rbm: subscriber.rcs
    case .whatsapp: subscriber.whatsapp
    }
  }
}
