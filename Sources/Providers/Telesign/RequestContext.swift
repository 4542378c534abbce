import ProviderKit

/// An authenticated request for a product that the account may use.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let format: ErrorFormat
  /// The customer id.
  let customer: String

  /// Writes `{"code":…,"description":…,"updated_on":…}`; `time` defaults to now. Source: contract 1.3.
  func writeStatus(_ code: Int, at time: Timestamp? = nil, to json: inout JSONWriter) {
    let time = time ?? sandbox.clock.now
    json.object("status") { json in
      json.member("code", code)
      json.member("description", StatusTexts[code])
      json.member("updated_on", time.iso8601Microseconds)
    }
  }
}

extension Timestamp {
  /// `2026-01-05T10:20:30.412000Z`: RFC 3339 in UTC with six digits; the clock has three. Source: contract
  /// 1.3.
  var iso8601Microseconds: String { iso8601Milliseconds.dropLast() + "000Z" }
}

/// Makes an operation a route handler: authenticates the caller, checks product and rate limit, and completes
/// error bodies.
func authenticated(
  _ product: Product, _ operation: @escaping (RequestContext) throws -> Response
) -> RequestHandler {
  { request, sandbox in
    let format = ErrorFormat(path: request.target.path)
    do {
      let settings = try Settings.current(in: sandbox)
      let customer = try Authentication(
        request: request, format: format, settings: settings, sandbox: sandbox
      ).customer()
      guard !settings.disabledProducts.contains(product) else {
        throw APIError.productDisabled(product, in: format)
      }
      let limit = settings.rates[product]
      guard try RequestCount.add(product.rawValue, of: TelesignProvider.name, limit: limit, in: sandbox)
      else {
        throw APIError.rateLimited(in: format)
          .because("more than \(limit) requests in a second (setting rate.\(product.rawValue))")
      }
      return try operation(
        RequestContext(
          request: request, sandbox: sandbox, settings: settings, format: format, customer: customer))
    } catch let error as APIError {
      throw error.stamped(in: sandbox)
    }
  }
}
