import ProviderKit

/// What an operation works with: the request, the key of its caller, and the settings.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let key: String
  let settings: Settings

  /// An open sandbox accepts unknown keys too.
  init(_ request: Request, in sandbox: Sandbox) throws {
    guard let key = DemoProvider.credential(in: request) else {
      throw APIError(401, .unauthorized).because("no Authorization: Bearer")
    }
    let isKnown = try sandbox.accounts.find(key, of: DemoProvider.name) != nil
    guard isKnown || sandbox.acceptsUnknownAccounts else {
      throw APIError(401, .unauthorized).because("unknown API key")
    }
    self.request = request
    self.sandbox = sandbox
    self.key = key
    settings = try Settings.current(in: sandbox)
  }

  func claim(to number: String) throws -> Claim {
    guard let number = PhoneNumber(number) else {
      throw APIError(400, .invalidNumber).because("number: expected \(PhoneNumber.expected)")
    }
    return Claim(provider: DemoProvider.name, owner: "account", destination: number.description)
  }
}

/// The handler of a route whose operation needs a key.
func authenticated(
  _ operation: @escaping (RequestContext) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { try operation(RequestContext($0, in: $1)) }
}
