import ProviderKit

/// The parameters of a new challenge. Source: contract 9.3.
struct ChallengeForm {
  let factorSID: String
  let expiresAt: Timestamp
  /// Texts for the user; nil if there are none.
  private let message: String?
  private let fields: [JSON]
  let hiddenDetails: JSON?
  /// For TOTP.
  let payload: String?

  init(_ context: RequestContext) throws {
    let form = try context.request.form
    form.declare([
      "FactorSid", "ExpirationDate", "Details.Message", "Details.Fields", "HiddenDetails", "AuthPayload",
    ])
    guard let factor = form.text("FactorSid") else { throw APIError.missingParameter("FactorSid") }
    guard SidKind.factor.matches(factor) else {
      throw APIError.invalidFactorParameter("FactorSid", expected: "YF and 32 hex digits")
    }
    factorSID = factor
    expiresAt = try Self.expiry(form, at: context.sandbox.clock.now)
    message = form.text("Details.Message")
    guard (message?.count ?? 0) <= 256 else {
      throw APIError.invalidFactorParameter("Details.Message", expected: "at most 256 characters")
    }
    fields = try form.all("Details.Fields").filter { !$0.isEmpty }.map(Self.field)
    guard fields.count <= 20 else {
      throw APIError.invalidFactorParameter("Details.Fields", expected: "at most 20")
    }
    hiddenDetails = try FactorForm.texts("HiddenDetails", in: form)
    payload = form.text("AuthPayload")
  }

  /// The member `details`. A push needs a message. `date`: for Services with `Push.IncludeDate`; other
  /// challenges have no such member, because a null stops a mobile client. Source: contract 9.3.
  func details(of kind: Factor.Kind, date: Timestamp?) throws(APIError) -> JSON? {
    guard let message else {
      if kind == .push { throw .missingParameter("Details.Message") }
      return nil
    }
    var members = [
      JSON.Member(name: "message", value: .string(message)),
      JSON.Member(name: "fields", value: .array(fields)),
    ]
    if let date { members.append(.init(name: "date", value: .string(date.iso8601))) }
    return .object(members)
  }

  /// Five minutes from now, or a time within the next hour.
  private static func expiry(_ form: Form, at now: Timestamp) throws(APIError) -> Timestamp {
    guard let text = form.text("ExpirationDate") else { return now + .seconds(300) }
    guard let time = Timestamp(rfc3339: text), time > now, time <= now + .seconds(3600) else {
      throw .invalidFactorParameter(
        "ExpirationDate", expected: "a time within the next 60 minutes, such as 2026-01-05T10:20:30Z")
    }
    return time
  }

  @Sendable
  private static func field(_ text: String) throws(APIError) -> JSON {
    guard let json = try? JSON(parsing: Array(text.utf8)), case .object(let members) = json,
      case .string(let label)? = json["label"], case .string(let value)? = json["value"], members.count == 2,
      label.count <= 36, value.count <= 128
    else {
      throw .invalidFactorParameter(
        "Details.Fields", expected: #"{"label":"…","value":"…"} of at most 36 and 128 characters"#)
    }
    return json
  }
}
