import ProviderKit

/// The members of a request. An empty text counts as absent, since an SDK sends members without a value like
/// this. Source: contract 3.2.
struct Body {
  let fields: Fields

  init(_ fields: Fields) { self.fields = fields }

  /// Nil if the member is absent, null or empty.
  func text(_ name: String) throws -> String? {
    guard let text = try fields.optionalString(name), !text.isEmpty else { return nil }
    return text
  }

  func requiredText(_ name: String) throws -> String {
    guard let text = try text(name) else { throw APIError.missing(name) }
    return text
  }

  /// At most `maxLength` characters, each of which `isAllowed`.
  func text(_ name: String, maxLength: Int, _ expected: String, _ isAllowed: (UInt8) -> Bool) throws
    -> String?
  {
    guard let text = try text(name) else { return nil }
    guard text.unicodeScalars.count <= maxLength, text.utf8.allSatisfy(isAllowed) else {
      throw APIError.malformed(name, expected: expected)
    }
    return text
  }

  /// Declares members that have no effect.
  func declare(_ names: String...) {
    for name in names { _ = fields.has(name) }
  }

  func flag(_ name: String) throws -> Bool? { try fields.optionalBool(name) }

  /// One of a type's words.
  func word<Word: CaseIterable & RawRepresentable<String>>(_ name: String, of type: Word.Type) throws -> Word
  {
    let text = try requiredText(name)
    guard let word = Word(rawValue: text) else {
      throw APIError.malformed(name, expected: "one of \(Word.words)")
    }
    return word
  }
}

/// Members that several operations have. Source: contract 4.1 and 7.1.
extension Body {
  func finalTargetURL(isRequired: Bool) throws -> String? {
    let name = "finalTargetUrl"
    let expected = "at most 128 characters: letters, digits and -._+=/:?"
    let url = try text(name, maxLength: 128, expected) { $0.isAlphanumeric || "-._+=/:?".utf8.contains($0) }
    if isRequired, url == nil { throw APIError.missing(name) }
    return url
  }

  /// A text with a placeholder for code or URL.
  var smsMessage: String? {
    get throws {
      let name = "smsMessage"
      guard let text = try text(name, maxLength: 160, "at most 160 characters", { _ in true }) else {
        return nil
      }
      guard MessageTemplate(text) != nil else {
        throw APIError.malformed(name, expected: "a run of 4, 5 or 6 characters #")
      }
      return text
    }
  }

  /// Checks members that have no effect in the sandbox.
  func checkContact() throws {
    _ = try text("emailAddress", maxLength: 254, "letters, digits and @.+") {
      $0.isAlphanumeric || "@.+".utf8.contains($0)
    }
    _ = try text("ipAddress", maxLength: 45, "letters, digits and .:") {
      $0.isAlphanumeric || ".:".utf8.contains($0)
    }
  }

  /// Declares `clientRequestId`, which has no effect. It is in the query or in an optional body.
  static func declareRequestID(of context: RequestContext) throws {
    _ = try context.request.query["clientRequestId"]
    try context.body.declare("clientRequestId")
  }
}
