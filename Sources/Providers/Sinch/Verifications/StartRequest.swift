import ProviderKit

/// The body of a start, in the contract's order of judgement. Source: contract 3.
struct StartRequest {
  let number: PhoneNumber
  let details: VerificationDetails

  var method: VerificationMethod { details.method }

  init(_ context: RequestContext) throws {
    let fields = try context.request.json
    number = try Self.number(in: fields, context)
    guard let word = try fields.optionalString("method") else { throw APIError.missing("method") }
    guard let method = VerificationMethod(requested: word) else {
      throw APIError.invalid("method", expected: "one of \(VerificationMethod.words)")
    }
    var details = VerificationDetails()
    details.method = method
    details.reference = try Self.reference(in: fields)
    details.custom = try Self.custom(in: fields)
    let header = context.request.headers["Accept-Language"]
    details.options.language = Language(accepting: header)
    details.acceptLanguage = header.map { Language.tags(in: $0) }
    // Apps do not choose options. Source: contract 1.
    if context.level > .public { try details.options.read(fields, of: method) }
    if context.settings.strictMembers, let unknown = fields.unread.first {
      throw APIError.invalid(unknown, expected: "no such member (setting strictMembers)")
    }
    self.details = details
  }

  private static func number(in fields: Fields, _ context: RequestContext) throws -> PhoneNumber {
    guard let identity = try fields.optionalObject("identity") else { throw APIError.missing("identity") }
    guard let type = try identity.optionalString("type") else { throw APIError.missing("identity.type") }
    guard type == "number" else {
      throw APIError(.invalidValue, "identity.type: expected number")
    }
    guard let text = try identity.optionalString("endpoint") else {
      throw APIError.missing("identity.endpoint")
    }
    return try Endpoint.number(text, context)
  }

  /// Source: contract 3: fit for one segment of a URL.
  private static func reference(in fields: Fields) throws -> String? {
    guard let text = try fields.optionalString("reference") else { return nil }
    let isValid = text.unicodeScalars.allSatisfy { character in
      character.value > 0x20 && character.value != 0x7F && !"/?#%\\".unicodeScalars.contains(character)
    }
    guard isValid, (1...256).contains(text.unicodeScalars.count), text != ".", text != ".." else {
      throw APIError.invalid("reference", expected: "1 to 256 characters that fit into one segment of a URL")
    }
    return text
  }

  private static func custom(in fields: Fields) throws -> String? {
    let text = try fields.optionalString("custom")
    guard text.map({ $0.unicodeScalars.count <= 4096 }) ?? true else {
      throw APIError.invalid("custom", expected: "at most 4096 characters")
    }
    return text
  }
}
