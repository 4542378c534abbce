import ProviderKit

/// A JSON object or a form. The first character decides, not the content type: a brace begins JSON.
/// Source: contract 3.3, quirks 2, 5 and 8; 10.1.
enum RequestBody {
  case form(Form)
  case json(Fields)

  init(_ request: Request) throws {
    let first = request.body.first { $0 > UInt8(ascii: " ") }
    self = first == UInt8(ascii: "{") ? .json(try Self.json(request)) : .form(try request.form)
  }

  /// The members of a JSON body. If a name is repeated, the last one counts, as the contract's additions say.
  static func json(_ request: Request) throws(FieldError) -> Fields {
    try request.json(repeatedNames: .lastCounts)
  }

  /// A text; nil if it is missing or empty. If a form repeats it, the last value wins.
  /// Source: contract 3.3, quirk 11.
  func text(_ name: String) throws -> String? {
    let text =
      switch self {
      case .form(let form): form.last(name)
      case .json(let fields): try fields.optionalString(name)
      }
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A JSON object; always nil in a form.
  func object(_ name: String) throws -> Fields? {
    guard case .json(let fields) = self else { return nil }
    return try fields.optionalObject(name)
  }

  /// A boolean; in a form everything but `true` is false.
  func flag(_ name: String) throws -> Bool? {
    switch self {
    case .form(let form): form.last(name).map { $0.lowercased() == "true" }
    case .json(let fields): try fields.optionalBool(name)
    }
  }
}

/// What a request says about the user it is made for. Source: contract 9.1, 10.1 and 11.
struct RequestMetadata: Equatable {
  /// The customer's own id for the request, repeated in responses.
  let externalID: String?
  let lifecycleEvent: String?
  let originatingIP: String?
  let emailAddress: String?

  /// `includesAccount`: the user's account, device and email address are parameters too.
  init(_ body: RequestBody, in format: ErrorFormat, includesAccount: Bool = false) throws {
    try self.init(in: format, includesAccount: includesAccount) { try body.text($0.rawValue) }
  }

  /// Of a body whose member `contact_details` is `contact`. Source: contract, Additions of 2026-11-22.
  init(_ body: RequestBody, contact: RequestBody, in format: ErrorFormat) throws {
    try self.init(in: format, includesAccount: true) { parameter in
      switch parameter {
      case .emailAddress: try contact.text("email")
      case .originatingIP: try body.text("ip")
      case .externalID, .lifecycleEvent, .accountID, .deviceID: try body.text(parameter.rawValue)
      }
    }
  }

  private init(
    in format: ErrorFormat, includesAccount: Bool, text: (Parameter) throws -> String?
  ) throws {
    func read(
      _ parameter: Parameter, expected: String, where isValid: (String) -> Bool
    ) throws -> String? {
      guard let text = try text(parameter) else { return nil }
      guard isValid(text) else {
        throw APIError(parameter.errorCode(in: format), in: format)
          .because("\(parameter.rawValue): expected \(expected)")
      }
      return text
    }
    lifecycleEvent = try read(
      .lifecycleEvent, expected: "one of \(Self.lifecycleEvents.joined(separator: ", "))",
      where: Self.lifecycleEvents.contains)
    originatingIP = try read(
      .originatingIP, expected: "an IPv4 or IPv6 address", where: IPAddress.isValid)
    externalID = try read(.externalID, expected: "up to 100 ASCII characters") {
      $0.utf8.count <= 100 && $0.utf8.allSatisfy { $0 < 0x80 }
    }
    guard includesAccount else {
      emailAddress = nil
      return
    }
    _ = try read(.accountID, expected: "up to 255 characters") { $0.count <= 255 }
    _ = try read(.deviceID, expected: "up to 255 characters") { $0.count <= 255 }
    emailAddress = try read(.emailAddress, expected: "an email address", where: EmailAddress.isValid)
  }

  /// Source: contract 11.
  static let lifecycleEvents = ["create", "sign-in", "transact", "update", "delete"]
}

private enum Parameter: String {
  case lifecycleEvent = "account_lifecycle_event"
  case originatingIP = "originating_ip"
  case externalID = "external_id"
  case accountID = "account_id"
  case deviceID = "device_id"
  case emailAddress = "email_address"

  /// Source: contract 9.1, 9.2, 10.4 and 11. The legacy format has one code for all.
  func errorCode(in format: ErrorFormat) -> Int {
    switch (self, format) {
    case (_, .legacy): -40006
    case (.externalID, .omnichannel): 3103
    case (.lifecycleEvent, .omnichannel): 3104
    case (.originatingIP, .omnichannel): 3105
    case (_, .omnichannel): 3110
    case (_, .silent): 10004
    case (.accountID, .flat): 11002
    case (.lifecycleEvent, .flat): 11003
    case (.deviceID, .flat): 11006
    case (.emailAddress, .flat): 11007
    case (.originatingIP, .flat): 11010
    case (.externalID, .flat): 11016
    }
  }
}
