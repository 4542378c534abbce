import ProviderKit

/// The four formats of the provider's errors. The path decides which one applies. Source: contract 2.5.
enum ErrorFormat: String {
  /// Family A of the contract: SMS, voice and app verification, and other old products: negative codes in
  /// `errors`.
  case legacy
  /// Family B: messaging, voice, PhoneID, Score: the code is `status.code`.
  case flat
  /// Family C: Verify API and omnichannel: 3xxx in `status.code`, sometimes with a `reference_id`.
  case omnichannel
  /// Family D: Silent Verify.
  case silent

  /// The format for a path, even if no route has that path.
  init(path: String) {
    let flat = ["/v1/messaging", "/v1/voice", "/v1/score", "/intelligence"]
    let omnichannel = ["/verification", "/v1/omnichannel", "/capability", "/handset"]
    if path.hasPrefix("/silent") {
      self = .silent
    } else if omnichannel.contains(where: path.hasPrefix) {
      self = .omnichannel
    } else if flat.contains(where: path.hasPrefix) || Self.isPhoneID(path) {
      self = .flat
    } else {
      self = .legacy
    }
  }

  /// True for PhoneID, Score and Intelligence, which have own codes for outages. Source: contract 10.4 and
  /// 11.
  static func isLookup(_ path: String) -> Bool {
    isPhoneID(path) || path.hasPrefix("/v1/score") || path.hasPrefix("/intelligence")
  }

  /// `/v1/phoneid` and `/v1/phoneid/{number}`, but not the older `/v1/phoneid/{product}/{number}`.
  private static func isPhoneID(_ path: String) -> Bool {
    path.hasPrefix("/v1/phoneid") && path.split(separator: "/").count < 4
  }
}

/// An error in one of the provider's formats. Source: contract 2.5, 4.9, 6, 7.1 and 9.1.
struct APIError: ProviderError, Equatable {
  let format: ErrorFormat
  let code: Int
  let description: String
  let status: Status
  /// `status.code` in the legacy format, whose error codes are in `errors`.
  var legacyStatusCode = 500
  var referenceID: String?
  var subResource: String?
  /// The expected string to sign, in errors about signatures. Source: contract 2.5.
  var signatureString: String?
  var why: String?
  private var allowedMethods: String?
  private var isMinimal = false
  private var time = ""

  /// An error with the provider's own status and text for the code.
  init(_ code: Int, in format: ErrorFormat) {
    let (status, text) = Self.entry(code, in: format)
    self.init(code, status, text, in: format)
  }

  init(_ code: Int, _ status: Status, _ description: String, in format: ErrorFormat) {
    self.format = format
    self.code = code
    self.status = status
    self.description = description
    // Until `because` names a better reason.
    if status == 400 { why = description }
    legacyStatusCode = Self.legacyStatusCode(of: code, status)
  }

  var response: Response {
    var response = Response.json(status) { json in
      switch format {
      case .legacy: writeLegacy(to: &json)
      case .omnichannel where status != 400 && !isMinimal: json.member("reference_id", referenceID)
      case .flat, .omnichannel, .silent: break
      }
      json.object("status") { writeStatus(to: &$0) }
      if let signatureString { json.member("signature_string", signatureString) }
    }
    if let allowedMethods { response.headers.add("Allow", allowedMethods) }
    return response
  }

  func about(_ referenceID: String?, _ subResource: String? = nil) -> APIError {
    var error = self
    error.referenceID = referenceID
    error.subResource = subResource
    return error
  }

  /// The same error with code and text only, as handset routes send it. Source: contract 5.4.
  var minimal: APIError {
    var error = self
    error.isMinimal = true
    return error
  }

  mutating func stamp(at time: Timestamp, requestID: String) {
    self.time = time.iso8601Microseconds
    if format == .omnichannel, referenceID == nil { referenceID = requestID }
  }

  /// The same error as it is sent. An id is generated only if the body needs one: each one changes those
  /// after it.
  func stamped(in sandbox: Sandbox) -> APIError {
    let needsID = format == .omnichannel && referenceID == nil
    return stamped(at: sandbox.clock.now, requestID: needsID ? ReferenceID.ofRequest(in: sandbox) : "")
  }

  private func writeLegacy(to json: inout JSONWriter) {
    json.member("reference_id", referenceID)
    json.member("sub_resource", subResource)
    json.array("errors", [self]) { json, error in
      json.value { json in
        json.member("code", error.code)
        json.member("description", error.description)
      }
    }
  }

  private func writeStatus(to json: inout JSONWriter) {
    json.member("code", format == .legacy ? legacyStatusCode : code)
    json.member("description", format == .legacy ? StatusTexts[legacyStatusCode] : description)
    if format != .omnichannel || status != 400, !isMinimal { json.member("updated_on", time) }
  }

  /// Status and text. Codes that the format does not have can be those of a fault.
  private static func entry(_ code: Int, in format: ErrorFormat) -> (status: Status, text: String) {
    let formats: [ErrorFormat] = format == .flat ? [.flat, .legacy] : [format]
    for format in formats {
      guard let entry = TelesignProvider.errorTable[String(code), in: format.rawValue] else { continue }
      return (entry.status, entry.text ?? "")
    }
    guard format == .omnichannel else { return (400, "Error \(code)") }
    // A message's status, which is an error's too. Source: contract 4.9 and 9.2.
    return (code == 3041 ? 503 : 400, StatusTexts[code])
  }

  /// Source: contract 2.5, 7.1 and 7.4.
  private static func legacyStatusCode(of code: Int, _ status: Status) -> Int {
    switch (status.code, code) {
    case (401, -30008), (401, -10009), (401, -10033): 500
    case (401, _): 501
    case (404, _): 599
    default: 500
    }
  }
}

/// Errors that several products have.
extension APIError {
  /// 400 for an unreadable or invalid request that has no more specific error.
  static func invalidRequest(in format: ErrorFormat) -> Self {
    switch format {
    case .legacy, .flat: Self(-40006, in: format)
    case .omnichannel: Self(3110, in: format)
    case .silent: Self(10004, in: format)
    }
  }

  /// 400 for an invalid phone number. Source: contract 4.9, 6, 7.1 and 9.1.
  static func invalidNumber(_ text: String, in format: ErrorFormat) -> Self {
    switch format {
    case .legacy: Self(-10001, 400, "Invalid Request: PhoneNumber Parameter: \(text)", in: format)
    case .flat, .silent: Self(11000, in: format)
    case .omnichannel: Self(3101, in: format)
    }
  }

  /// 400 for a missing parameter of a legacy product. Source: contract 7.1.
  static func missing(_ name: String) -> Self {
    Self(-10001, 400, "Invalid Request: Missing parameter Parameter: \(name)", in: .legacy)
  }

  /// 400 for an invalid parameter of a legacy product; only the journal names it.
  static func invalidParameter(_ name: String, expected: String) -> Self {
    Self(-10001, in: .legacy).because("\(name): expected \(expected)")
  }

  /// 400 for a malformed reference id. Source: contract 7.4.
  static func invalidReference(_ text: String) -> Self {
    Self(-10001, 400, "Invalid Request: ReferenceID Parameter: \(text)", in: .legacy)
  }

  /// 404. Source: contract 7.4.
  static var unknownReference: Self { Self(-10001, 404, "CustomerID/ReferenceID not found", in: .legacy) }

  /// 404. Source: contract 7.4.
  static var expiredReference: Self { Self(-10004, in: .legacy) }

  /// 401 if a trial account has not verified the number. Source: contract 4.9, 7.1 and 9.1.
  static func trialAccount(_ digits: String, in format: ErrorFormat) -> Self {
    switch format {
    case .legacy: Self(-10033, in: format)
    case .flat, .silent:
      Self(10033, 401, "\(digits) has not been verified for this trial account.", in: format)
    case .omnichannel: Self(3071, in: format)
    }
  }

  /// 402. Source: contract 4.9, 7.1 and 9.1.
  static func noFunds(in format: ErrorFormat) -> Self {
    switch format {
    case .legacy: Self(-10030, in: format)
    case .flat, .silent: Self(10030, 402, "Insufficient funds in prepaid wallet.", in: format)
    case .omnichannel: Self(3073, in: format)
    }
  }

  /// 429. Source: contract 4.9, 7.1 and 9.1.
  static func rateLimited(in format: ErrorFormat) -> Self {
    switch format {
    case .legacy: Self(-40007, in: format)
    case .flat, .silent: Self(10019, in: format)
    case .omnichannel: Self(3204, in: format)
    }
  }

  /// 500 or 503 for an outage; look-ups have codes of their own. Source: contract 4.9, 6, 7.1, 9.1 and 10.4.
  static func unavailable(_ status: Status, in format: ErrorFormat, at path: String = "") -> Self {
    if ErrorFormat.isLookup(path) { return Self(status == 503 ? -10000 : -90001, in: .flat) }
    let code =
      switch format {
      case .legacy: -90001
      case .flat, .silent: 10000
      case .omnichannel: 3500
      }
    return Self(code, status, entry(code, in: format).text, in: format)
  }

  /// 404 for a path without a route.
  static func unknownPath(in format: ErrorFormat) -> Self {
    switch format {
    case .legacy, .flat: Self(-40004, in: format)
    case .omnichannel, .silent: invalidRequest(404, in: format)
    }
  }

  /// 405 with an `Allow` header.
  static func wrongMethod(_ allowed: [HTTP.Method], in format: ErrorFormat) -> Self {
    var error =
      switch format {
      case .legacy, .flat: Self(-40005, in: format)
      case .omnichannel, .silent: invalidRequest(405, in: format)
      }
    error.allowedMethods = allowed.map(\.rawValue).joined(separator: ", ")
    return error
  }

  /// An injected fault: the provider's error with this code, else the general error of this status.
  static func injected(status: Status?, code: String?, in format: ErrorFormat, at path: String) -> Self {
    let error =
      code.flatMap { Int($0) }.map { Self($0, in: format) }
      ?? general(status?.code ?? 500, in: format, at: path)
    return Self(error.code, status ?? error.status, error.description, in: format)
  }

  private static func general(_ status: Int, in format: ErrorFormat, at path: String) -> Self {
    switch status {
    case 401: .unauthorized(.wrongSignature, in: format, fineGrained: false)
    case 404: unknownPath(in: format)
    case 429: rateLimited(in: format)
    case 503: unavailable(503, in: format, at: path)
    case 500...: unavailable(500, in: format, at: path)
    default: invalidRequest(in: format)
    }
  }

  private static func invalidRequest(_ status: Status, in format: ErrorFormat) -> Self {
    let error = invalidRequest(in: format)
    return Self(error.code, status, error.description, in: format)
  }
}
