import ProviderKit

// Consent Info 0.2.0. Source: contract 13.

extension Scope {
  static let consentInfo = ["consent-info:retrieve"]
}

extension CAMARAProvider {
  static var consentInfoRoutes: [Route<Sandbox>] {
    [
      .post(
        "/consent-info/v0.2/retrieve", as: "retrieveConsent",
        operation("consent-info:retrieve", retrieveConsent)
      ),
      .get("/consent-info/capture/{capture}", as: "showCapture", showCapture).hostBound,
      .post("/consent-info/capture/{capture}", as: "decideCapture", decideCapture).hostBound,
    ]
  }
}

/// `POST /retrieve`: whether the client of the token may process data for a purpose.
func retrieveConsent(_ context: RequestContext) throws -> Response {
  let question = try ConsentQuestion(context)
  // A subscriber who has denied everything is still one about whom to ask.
  let subscriber = try Subject.known(numbered: question.number, context)
  try Subject.requireMobile(subscriber)
  try question.requirePermission(context)
  var capture = ConsentCapture()
  (capture.clientID, capture.number) = (context.client.id, subscriber.number)
  (capture.purpose, capture.callback) = (question.purpose, question.callback)
  let isRequested = try capture.isRequested(in: context.sandbox)
  let statuses = try StatusInfo.list(question.scopes) { scope in
    try Permission(of: subscriber.number, to: question.purpose, for: scope, in: context.sandbox)
  }
  capture.scopes = statuses.filter { $0.permission.answer == .unknown }.flatMap(\.scopes)
  let mayCapture = !capture.scopes.isEmpty && question.wantsCapture
  if mayCapture {
    let limit = context.settings.captureLimit
    guard try limit.map({ try capture.recent(in: context.sandbox) < $0 }) ?? true else {
      throw APIError(.captureFrequencyExceeded).because("the setting captureLimit")
    }
    try capture.create(in: context.sandbox)
  }
  let url =
    try OAuthContext(context.request, in: context.sandbox).pageURL("/consent-info/capture/\(capture.id)")
  return context.response { json in
    json.array("statusInfo", statuses) { json, status in
      json.value { status.write(to: &$0, for: question.purpose, isRequested: isRequested) }
    }
    if mayCapture { json.member("captureUrl", url) }
  }
}

/// Scopes that have the same status.
private struct StatusInfo {
  var scopes: [String]
  let permission: Permission

  /// In the order of the first scope of each.
  static func list(_ scopes: [String], _ permission: (String) throws -> Permission) rethrows -> [StatusInfo] {
    var list: [StatusInfo] = []
    for scope in scopes {
      let own = try permission(scope)
      if let place = list.firstIndex(where: { $0.permission == own }) {
        list[place].scopes.append(scope)
      } else {
        list.append(StatusInfo(scopes: [scope], permission: own))
      }
    }
    return list
  }

  func write(to json: inout JSONWriter, for purpose: String, isRequested: Bool) {
    json.member("scopes", scopes)
    json.member("purpose", purpose)
    json.member("statusValidForProcessing", permission.status == .granted)
    switch permission.status {
    case .granted: break
    case .pending where isRequested: json.member("statusReason", "REQUESTED")
    default: json.member("statusReason", permission.status.rawValue)
    }
    if let end = permission.end { json.member("expirationDate", end.iso8601Milliseconds) }
  }
}

/// The body of `retrieve`.
private struct ConsentQuestion {
  let number: String?
  let scopes: [String]
  let purpose: String
  let wantsCapture: Bool
  let callback: String?

  init(_ context: RequestContext) throws {
    let body = try context.body
    number = try body.optionalPhoneNumber()
    scopes = try body.strings("scopes")
    guard (1...SandboxLimits.items).contains(scopes.count), scopes.allSatisfy({ $0.utf8.count <= 200 }) else {
      throw body.mismatch("scopes", expected: "1 to \(SandboxLimits.items) scopes")
    }
    purpose = try body.string("purpose")
    guard purpose.hasPrefix(Purpose.prefix), Consent.isPurposeName(purpose.dropFirst(Purpose.prefix.count))
    else { throw body.mismatch("purpose", expected: "dpv: and the name of a purpose") }
    wantsCapture = try body.bool("requestCaptureUrl")
    callback = try body.optionalString("callbackUrl")
    if callback == nil { try body.requireAbsent("callbackUrl", expected: "a URI") }
    if let callback, !Self.isURI(callback) { throw body.mismatch("callbackUrl", expected: "a URI") }
  }

  func requirePermission(_ context: RequestContext) throws {
    let known = Set(Scope.supported)
    let isKnown = scopes.allSatisfy { known.contains($0) && context.client.scopes?.contains($0) ?? true }
    guard isKnown, Purpose.isPermitted(purpose, to: context.client, context.settings) else {
      throw APIError(.notAllowedScopesPurpose)
    }
    if let callback, !Self.isCallback(callback) {
      throw APIError(.invalidCallbackURL)
        .because("callbackUrl: expected https, http on a loopback address, or the scheme of an app")
    }
  }

  private static func scheme(of text: String) -> Substring? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon]
    guard scheme.utf8.first?.isLetter == true,
      scheme.utf8.allSatisfy({ $0.isAlphanumeric || "+.-".utf8.contains($0) })
    else { return nil }
    return scheme
  }

  private static func isURI(_ text: String) -> Bool {
    text.utf8.count <= AbsoluteURL.sizeLimit && scheme(of: text) != nil
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
  }

  private static func isCallback(_ text: String) -> Bool {
    if let url = AbsoluteURL(text) {
      return url.isSecure || ["127.0.0.1", "::1", "localhost"].contains(url.host)
    }
    let scheme = scheme(of: text)?.lowercased() ?? ""
    let own = ["http", "https", "javascript", "data", "file", "about", "blob"]
    return !own.contains(scheme) && text.contains("://")
  }
}
