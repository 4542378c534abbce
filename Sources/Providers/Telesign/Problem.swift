package import Domain
package import HTTP
import JSON
import ProviderKit

/// A refusal in the vendor's words. Source: contract 2.5, 4.9, 6, 7.1 and 9.1.
struct Problem: ResponseError, Equatable {
  /// Which shape it has.
  let family: Family
  /// The error's number.
  let code: Int
  /// What it says.
  let description: String
  /// The HTTP status.
  let status: Status
  /// `status.code` of the legacy family, whose numbers stand in `errors`.
  var outcome = 500
  /// What the answer says it is about; nil where that is nothing.
  var referenceID: String?
  var subResource: String?
  /// The string that the sandbox has signed, for whoever signs by hand. Source: contract 2.5.
  var signatureString: String?
  /// For the journal: what really happened.
  var why: String?
  private var allowed: String?
  private var isPlain = false
  private var time = ""

  /// The refusal of this number with the vendor's text for it.
  init(_ code: Int, in family: Family) {
    let (status, text) = Self.entry(code, in: family)
    self.init(code, status, text, in: family)
  }

  /// A refusal with a text of its own.
  init(_ code: Int, _ status: Status, _ description: String, in family: Family) {
    self.family = family
    self.code = code
    self.status = status
    self.description = description
    outcome = Self.outcome(of: code, status)
  }

  /// The error body of the family.
  var response: Response {
    let body = JSONWriter.object { json in
      switch family {
      case .legacy: writeLegacy(to: &json)
      case .omnichannel where status != 400 && !isPlain: json.member("reference_id", referenceID)
      case .flat, .omnichannel, .silent: break
      }
      json.object("status") { writeStatus(to: &$0) }
      if let signatureString { json.member("signature_string", signatureString) }
    }
    var response = Response.json(status, body)
    if let allowed { response.headers.add("Allow", allowed) }
    return response
  }

  /// The same refusal with the truth for the journal.
  func because(_ why: String) -> Problem {
    var problem = self
    problem.why = why
    return problem
  }

  /// The same refusal, of what has this reference id and is this kind of thing.
  func about(_ referenceID: String?, _ subResource: String? = nil) -> Problem {
    var problem = self
    problem.referenceID = referenceID
    problem.subResource = subResource
    return problem
  }

  /// The same refusal as it is sent: at a time, and with an id of its own where its shape has one.
  func signed(in sandbox: Sandbox) -> Problem {
    var problem = self
    problem.time = sandbox.clock.now.microseconds
    if family == .omnichannel, referenceID == nil {
      problem.referenceID = requestReference(in: sandbox)
    }
    return problem
  }

  /// The same refusal with number and text and no more, as apps get it. Source: contract 5.4.
  var plain: Problem {
    var problem = self
    problem.isPlain = true
    return problem
  }

  /// The same refusal, of a method that the path does not take.
  func allowing(_ methods: [HTTP.Method]) -> Problem {
    var problem = self
    problem.allowed = methods.map(\.rawValue).joined(separator: ", ")
    return problem
  }

  private func writeLegacy(to json: inout JSONWriter) {
    json.member("reference_id", referenceID)
    json.member("sub_resource", subResource)
    json.array("errors", [self]) { json, problem in
      json.value { json in
        json.member("code", problem.code)
        json.member("description", problem.description)
      }
    }
  }

  private func writeStatus(to json: inout JSONWriter) {
    json.member("code", family == .legacy ? outcome : code)
    json.member("description", family == .legacy ? statusText(outcome) : description)
    if family != .omnichannel || status != 400, !isPlain { json.member("updated_on", time) }
  }
}

/// Which number stands for which mishap.
extension Problem {
  private static func entry(_ code: Int, in family: Family) -> ErrorText {
    switch family {
    case .legacy: legacyErrors[code] ?? (400, "Error \(code)")
    case .flat: flatErrors[code] ?? legacyErrors[code] ?? (400, "Error \(code)")
    case .silent: silentErrors[code] ?? (400, "Error \(code)")
    case .omnichannel: (status(ofOmnichannel: code), statusText(code))
    }
  }

  /// Source: contract 4.9 and 9.2.
  private static func status(ofOmnichannel code: Int) -> Status {
    switch code {
    case 3116: 413
    case 3200, 3203, 3206, 3208, 3400..<3500, 3906: 401
    case 3204, 3205, 3207: 429
    case 3041, 3500: 503
    default: 400
    }
  }

  /// `status.code` beside an error of the legacy family. Source: contract 2.5, 7.1 and 7.4.
  private static func outcome(of code: Int, _ status: Status) -> Int {
    switch (status.code, code) {
    case (401, -30008), (401, -10009), (401, -10033): 500
    case (401, _): 501
    case (404, _): 599
    default: 500
    }
  }

  /// 400 for a request that has no more exact error: what cannot be read, or is against the rules.
  static func invalidRequest(in family: Family) -> Self {
    Self([.legacy: -40006, .flat: -40006, .omnichannel: 3110, .silent: 10004][family] ?? -40006, in: family)
  }

  /// 400 for a phone number that is none. Source: contract 4.9, 6, 7.1 and 9.1.
  static func invalidNumber(_ text: String, in family: Family) -> Self {
    switch family {
    case .legacy: Self(-10001, 400, "Invalid Request: PhoneNumber Parameter: \(text)", in: family)
    case .flat, .silent: Self(11000, in: family)
    case .omnichannel: Self(3101, in: family)
    }
  }

  /// 400 for a parameter of the legacy family that is missing. Source: contract 7.1.
  static func missing(_ name: String) -> Self {
    Self(-10001, 400, "Invalid Request: Missing parameter Parameter: \(name)", in: .legacy)
  }

  /// 429, as of more requests in a second than the account may make. Source: contract 4.9, 7.1 and 9.1.
  static func rateLimited(in family: Family) -> Self {
    Self([.legacy: -40007, .flat: 10019, .omnichannel: 3204, .silent: 10019][family] ?? -40007, in: family)
  }

  /// 500 or 503 for a moment's failure; the look-ups have other numbers than their family. Source: contract 4.9, 6,
  /// 7.1, 9.1 and 10.4.
  static func unavailable(_ status: Status, in family: Family, at path: String = "") -> Self {
    let code = [.legacy: -90001, .flat: 10000, .omnichannel: 3500, .silent: 10000][family] ?? -90001
    guard Family.isLookup(path) else {
      return Self(code, status, entry(code, in: family).text, in: family)
    }
    return Self(status == 503 ? -10000 : -90001, in: .flat)
  }

  /// What a fault asks for: the vendor's error of that number, or its general one of that status.
  static func fault(status: Status?, code: String?, in family: Family, at path: String) -> Self {
    let usual =
      code.flatMap { Int($0) }.map { Self($0, in: family) }
      ?? general(status?.code ?? 500, in: family, at: path)
    return Self(usual.code, status ?? usual.status, usual.description, in: family)
  }

  private static func general(_ status: Int, in family: Family, at path: String) -> Self {
    switch status {
    case 401: .refused(.wrongSignature, in: family, fine: false)
    case 404: unknownPath(in: family)
    case 429: rateLimited(in: family)
    case 503: unavailable(503, in: family, at: path)
    case 500...: unavailable(500, in: family, at: path)
    default: invalidRequest(in: family)
    }
  }

  /// 404 for a path that no product has.
  static func unknownPath(in family: Family) -> Self {
    switch family {
    case .legacy, .flat: Self(-40004, in: family)
    case .omnichannel, .silent:
      Self(invalidRequest(in: family).code, 404, invalidRequest(in: family).description, in: family)
    }
  }

  /// 405 with the methods that the path takes.
  static func wrongMethod(_ allowed: [HTTP.Method], in family: Family) -> Self {
    let problem =
      switch family {
      case .legacy, .flat: Self(-40005, in: family)
      case .omnichannel, .silent:
        Self(invalidRequest(in: family).code, 405, invalidRequest(in: family).description, in: family)
      }
    return problem.allowing(allowed)
  }
}

extension TelesignProvider {
  /// The vendor's words for what no handler answers.
  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let path = request.target.path
    let family = Family(path: path)
    let problem: Problem =
      switch failure {
      case .unknownPath, .notEmulated: .unknownPath(in: family)
      case .wrongMethod(let allowed): .wrongMethod(allowed, in: family)
      case .malformed: .invalidRequest(in: family)
      case .fault(let status, let code): .fault(status: status, code: code, in: family, at: path)
      case .failure: .unavailable(500, in: family, at: path)
      case .overload: .unavailable(503, in: family, at: path)
      }
    return problem.signed(in: sandbox).response
  }
}

extension JSONWriter {
  /// The member of a success in the legacy family. Source: contract 1.3.
  mutating func noErrors() { array("errors", [Int]()) { $0.value($1) } }
}
