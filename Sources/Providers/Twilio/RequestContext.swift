import ProviderKit

/// What an operation works with: the request, its caller, and the Service of its path.
///
/// A class, because operations pass it on: one reference is cheaper to copy than a request.
final class RequestContext {
  let request: Request
  let sandbox: Sandbox
  let caller: Caller
  let sharedSettings: Shared<Settings>
  private let pathService: Shared<Service>?

  /// Fails with 20003 for bad credentials, with 60200 for an account's SID in the place of a Service's, and
  /// with 20404 for an unknown Service or another account's. Source: contract 20.
  convenience init(_ request: Request, in sandbox: Sandbox, adoptsService: Bool) throws {
    let caller = try Authentication.caller(of: request, in: sandbox)
    guard !caller.isTest else {
      throw APIError(code: 20008).because("\(caller.account) has test credentials, which Verify refuses")
    }
    try self.init(request, of: caller, in: sandbox, adoptsService: adoptsService)
  }

  /// The same for a caller that has signed in in another way. Fails with 20005 for an account that is not
  /// active, unless the operation `allowsInactive` ones.
  init(
    _ request: Request, of caller: Caller, in sandbox: Sandbox, adoptsService: Bool = false,
    allowsInactive: Bool = false
  ) throws {
    let settings = try Settings.shared(in: sandbox)
    let status = settings.value.restrictions.accountStatus
    guard status == .active || allowsInactive else {
      throw APIError.accountNotActive.because("the setting accountStatus is \(status.rawValue)")
    }
    pathService = try request.parameters.value("service").map { sid in
      if let service = try Service.find(sid, for: caller, in: sandbox) { return service }
      if adoptsService, let service = try Service.adopt(sid, for: caller, in: sandbox) { return service }
      throw try Self.unknownService(sid, request, caller, settings.value, in: sandbox)
    }
    sharedSettings = settings
    self.request = request
    self.sandbox = sandbox
    self.caller = caller
  }

  private static func unknownService(
    _ sid: String, _ request: Request, _ caller: Caller, _ settings: Settings, in sandbox: Sandbox
  ) throws -> APIError {
    guard !SidKind.account.matches(sid) else {
      return APIError(code: 60200).because(
        "\(sid) is the SID of an account; the path needs a Service's, VA…")
    }
    let own = try sandbox.records.oldest(Service.section, of: caller.account)?.key
    return .notFound(settings.notFoundPath(request.target.path))
      .because(
        "no Service \(sid) for account \(caller.account)",
        change: own.map { "Use a Service of this account, such as \($0), or make one: POST /v2/Services." })
  }

  /// The error for sign-in or Service of a request below `/v2` that no operation answers; nil if both are
  /// valid. Source: contract 20.
  static func refusal(of request: Request, in sandbox: Sandbox) -> APIError? {
    let segments = request.target.path.split(separator: "/")
    guard segments.first == "v2" else { return nil }
    var request = request
    let rest = segments.dropFirst()
    if rest.first == "Services", let sid = rest.dropFirst().first,
      request.parameters.value("service") == nil
    {
      request.parameters.add("service", String(sid))
    }
    do {
      _ = try RequestContext(request, in: sandbox, adoptsService: false)
      return nil
    } catch {
      return error as? APIError
    }
  }

  var settings: Settings { _read { yield sharedSettings.value } }

  /// The Service of the path. Only for routes that have one.
  var service: Service { _read { yield sharedService.value } }

  var sharedService: Shared<Service> {
    guard let pathService else { preconditionFailure("the route's pattern has no {service}") }
    return pathService
  }

  /// The account in answers about entities and webhooks. Source: contract 20.
  var shownAccount: String { caller.isUnknown ? caller.account : service.account }

  /// Scheme and authority of links in responses.
  var baseURL: String { settings.publicBaseURL ?? request.base }

  /// 20404 for the path of the request.
  func notFound(_ why: MissingReason) -> APIError { notFound(why.reason) }

  func notFound(_ why: String) -> APIError {
    .notFound(settings.notFoundPath(request.target.path)).because(why)
  }
}

/// The handler of a route whose operation needs credentials.
///
/// `adoptsService`: an unknown Service of an unknown account is created by its first use, so that an app can
/// keep the SIDs of its environment.
func authenticated(
  _ operation: @escaping (RequestContext) throws -> Response, adoptsService: Bool = false
) -> RequestHandler {
  { try operation(RequestContext($0, in: $1, adoptsService: adoptsService)) }
}

/// The handler of a route that test credentials can use too. Source: contract 15.
func signedIn(
  _ operation: @escaping (RequestContext) throws -> Response, allowsInactive: Bool = false
) -> RequestHandler {
  {
    try operation(
      RequestContext(
        $0, of: try Authentication.caller(of: $0, in: $1), in: $1, allowsInactive: allowsInactive))
  }
}
