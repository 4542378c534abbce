import Domain
import HTTP
import JSON
import ProviderKit

/// An authenticated request for a product that the account may use.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let format: ErrorFormat
  /// The customer id.
  let customer: String

  /// A form field; nil if it is missing or empty. If it is repeated, the last value wins.
  /// A body of another kind has no fields. Source: contract 3.3, quirk 11.
  func field(_ name: String) throws -> String? {
    guard let text = try request.form.all(name).last, !text.isEmpty else { return nil }
    return text
  }

  /// A mandatory form field of a legacy product. Source: contract 7.1.
  func required(_ name: String) throws -> String {
    guard let text = try field(name) else { throw APIError.missing(name) }
    return text
  }

  /// A phone number to send to. Those that cannot exist are rejected, and with `--numbers safe-only` also
  /// those that may belong to real people.
  func number(_ text: String) throws -> ParsedNumber {
    let number = try parsedNumber(text)
    guard !ParsedNumber.vendorExamples.contains(number.digits) else { return number }
    return try accepted(number, text)
  }

  /// A phone number to look up: one that cannot exist has an answer too. Source: contract 10.2.
  func numberToLookUp(_ text: String) throws -> ParsedNumber {
    let number = try parsedNumber(text)
    guard try sandbox.numbers.validity(of: number.phoneNumber) == .valid else { return number }
    return try accepted(number, text)
  }

  private func parsedNumber(_ text: String) throws(APIError) -> ParsedNumber {
    guard let number = ParsedNumber(text, settings) else { throw APIError.invalidNumber(text, in: format) }
    return number
  }

  private func accepted(_ number: ParsedNumber, _ text: String) throws -> ParsedNumber {
    if let reason = try sandbox.numbers.refusal(of: number.phoneNumber, provider: TelesignProvider.name) {
      throw APIError.invalidNumber(text, in: format).because(reason)
    }
    return number
  }

  /// Throws if this is no URL, or if the account may not choose its callback URLs. Source: contract 13.1.
  func checkCallbackURL(_ url: String, notAllowed: APIError, invalid: APIError) throws(APIError) {
    guard isCallbackURL(url) else { throw invalid.because("callback_url: expected an http or https URL") }
    guard settings.allowsCallbackURL else {
      throw notAllowed.because("callback_url: the setting verify.callback_allowed is off")
    }
  }

  /// Throws if the number's ending asks for an error, or if the account has no money.
  /// Source: contract 7.1, 9.1 and 15.1.
  func checkCanSend(to number: ParsedNumber?) throws {
    switch number?.ending {
    case .rateLimited: throw APIError.rateLimited(in: format).because("the number ends in 0429")
    case .unavailable: throw APIError.unavailable(503, in: format).because("the number ends in 0503")
    case .trial:
      throw APIError.trialAccount(number?.digits ?? "", in: format).because("the number ends in 0033")
    default: break
    }
    try checkFunds()
  }

  /// Source: contract 7.1, 9.1 and 10.4.
  func checkFunds() throws {
    guard settings.hasFunds else {
      throw APIError.noFunds(in: format).because("the setting account.funds is off")
    }
  }

  func respond(_ status: Status = 200, _ write: (inout JSONWriter) -> Void) -> Response {
    .json(status, JSONWriter.object(write))
  }

  /// Writes `{"code":…,"description":…,"updated_on":…}`; `time` defaults to now. Source: contract 1.3.
  func writeStatus(_ code: Int, at time: Timestamp? = nil, to json: inout JSONWriter) {
    let time = time ?? sandbox.clock.now
    json.object("status") { json in
      json.member("code", code)
      json.member("description", statusText(code))
      json.member("updated_on", time.iso8601Microseconds)
    }
  }
}

extension JSONWriter {
  /// Writes `"errors":[]`, a member of successful responses in the legacy format. Source: contract 1.3.
  mutating func noErrors() { array("errors", [Int]()) { $0.value($1) } }
}

/// Makes an operation a route handler: authenticates the caller, checks product and rate limit, and completes
/// error bodies.
func authenticated(
  _ product: Product, _ operation: @escaping (RequestContext) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    let format = ErrorFormat(path: request.target.path)
    do {
      let settings = try Settings.current(in: sandbox)
      let customer = try authenticate(request, format, settings, in: sandbox)
      guard !settings.disabledProducts.contains(product) else {
        throw APIError.productDisabled(product, in: format)
      }
      try RateLimit(product, settings).countRequest(in: sandbox, format)
      return try operation(
        RequestContext(
          request: request, sandbox: sandbox, settings: settings, format: format, customer: customer))
    } catch let error as APIError {
      throw error.stamped(in: sandbox)
    }
  }
}

/// A product that can be switched off for the account, and that has its own rate limit.
enum Product: String, CaseIterable {
  case verify
  case silent
  case smsVerify = "sms_verify"
  case voiceVerify = "voice_verify"
  case smartVerify = "smart_verify"
  case appVerify = "app_verify"
  case push
  case messaging
  case omnichannel
  case voice
  case phoneID = "phoneid"
  case intelligence
  case teleBureau = "telebureau"
}

/// Limits the requests for a product per second of the sandbox's clock. Source: contract 15.
private struct RateLimit {
  private let product: Product
  /// 0: unlimited.
  private let limit: Int

  init(_ product: Product, _ settings: Settings) {
    self.product = product
    limit = settings.rates[product]
  }

  func countRequest(in sandbox: Sandbox, _ format: ErrorFormat) throws {
    guard limit > 0 else { return }
    let second = Int(sandbox.clock.now.milliseconds / 1000)
    let count =
      try sandbox.records.find(product.rawValue, in: Self.section).map {
        let fields = try Fields(Array($0.record.utf8))
        return try fields.int("second") == second ? try fields.int("count") : 0
      } ?? 0
    guard count < limit else {
      throw APIError.rateLimited(in: format)
        .because("more than \(limit) requests in a second (setting rate.\(product.rawValue))")
    }
    let record = JSONWriter.object { json in
      json.member("second", second)
      json.member("count", count + 1)
    }
    try sandbox.records.save(record, under: product.rawValue, of: "", in: Self.section)
  }

  private static let section = RecordStore.Section(provider: TelesignProvider.name, kind: "rate-limit")
}
