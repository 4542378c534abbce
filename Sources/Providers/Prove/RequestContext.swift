import Domain
import HTTP
import JSON
import ProviderKit

/// What an operation works with: a request whose access token is valid.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let client: Client

  var now: Timestamp { sandbox.clock.now }

  /// The members of the body; none if it is empty.
  var body: Body {
    get throws { Body(try request.json) }
  }

  /// 200 with an object that `write` fills. Success is always 200. Source: contract 3.1.
  func response(_ write: (inout JSONWriter) -> Void) -> Response {
    .json(200, JSONWriter.object(write))
  }
}

/// Longer bodies are rejected, except those of batches. Source: contract 3.2.
let maxBodyBytes = 4 << 10

/// The handler of an operation for back ends.
func authenticated(
  maxBytes: Int = maxBodyBytes, _ operation: @escaping (RequestContext) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  numbered { request, sandbox, settings in
    let client = try authenticate(request, in: sandbox)
    try RateLimit.count(client, settings, in: sandbox)
    guard request.body.count <= maxBytes else { throw APIError.bodyTooLarge(maxBytes) }
    return try operation(
      RequestContext(request: request, sandbox: sandbox, settings: settings, client: client))
  }
}

/// A handler whose errors have the numbers of the setting `errorCodes`.
func numbered(
  _ operation: @escaping (Request, Sandbox, Settings) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    let settings = try Settings.current(in: sandbox)
    do {
      return try operation(request, sandbox, settings)
    } catch let error as APIError {
      throw error.numbered(by: settings.errorCodes)
    }
  }
}

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
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError.malformed(name, expected: "one of \(words)")
    }
    return word
  }
}
