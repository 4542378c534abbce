package import ProviderKit

/// Requests that are sent again. Source: contract 2.3 and 2.5.
extension TelesignProvider {
  package static let signedFields: Set = ["date", "x-ts-date", "x-ts-nonce", "x-ts-auth-method"]

  package static func renewSignature(
    of request: inout Request, like earlier: Request, in sandbox: Sandbox
  ) throws {
    guard case .digest(let customer, let signature)? = AuthorizationHeader(earlier.headers),
      request.headers["Authorization"] == earlier.headers["Authorization"],
      let digest = Digest(of: earlier)
    else { return }
    // The signatures of unknown customers are not checked: their time and nonce still are.
    let account = try sandbox.accounts.find(customer, of: name)
    let key = account.flatMap { account in
      account.apiKeys.first { digest.verifies(signature, keys: [$0], strictly: false) }
    }
    guard account == nil || key != nil else { return }
    let date = request.headers["x-ts-date"] == nil ? "Date" : "x-ts-date"
    request.headers.replace(date, with: sandbox.clock.now.httpDate)
    if request.headers["x-ts-nonce"] != nil {
      request.headers.replace("x-ts-nonce", with: sandbox.requestIdentifier("repeated nonce"))
    }
    guard let key, let renewed = Digest(of: request)?.signature(by: key) else { return }
    request.headers.replace("Authorization", with: "TSA \(customer):\(renewed)")
  }

  package static func credentials(
    insteadOfSignature headers: Headers, in sandbox: Sandbox
  ) throws -> BasicAuthentication? {
    guard case .digest(let customer, _)? = AuthorizationHeader(headers) else { return nil }
    let key = try sandbox.accounts.find(customer, of: name).flatMap { $0.apiKeys.first }
    return BasicAuthentication(name: customer, password: key ?? "")
  }
}
