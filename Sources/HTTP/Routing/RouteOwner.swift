/// Everything that answers one set of routes: a provider, the mobile network, or the control API.
///
/// A class, because every request passes it on: one reference is cheaper to copy than eight properties.
package final class RouteOwner<Context> {
  /// Unique. Also a path prefix for its routes.
  package let name: String
  /// Path prefixes that are removed before its routes are matched.
  package let prefixes: [String]
  /// Its host names. Unknown paths under these hosts get its error response. Host-bound routes are only found
  /// here.
  package let hosts: HostNames
  /// True if it reads bodies that are compressed with gzip.
  package let decompressesBodies: Bool
  package let routes: [Route<Context>]
  /// True for the server's own API and pages: the access rules apply to them, and neither faults nor the
  /// journal.
  package let isOwn: Bool
  /// True if its routes are only found under hosts that no owner has.
  package let avoidsOwnedHosts: Bool
  /// Returns the response to a client that may not use its routes; `denial` is the one for programs.
  package let denialResponse: (_ denial: Response, Request) -> Response
  /// Returns the response for a request that no handler answered.
  package let errorResponse: (RequestFailure, Request, Context) -> Response
  /// Adds the fields that all its responses to such a request have.
  package let addCommonHeaders: (inout Headers, Request, Context) -> Void
  /// True if an injected fault with this error code does not apply to a request.
  package let skipsFault: (_ code: String, Request, Context) throws -> Bool
  /// True if a request names a phone number in a spelling of its own, besides E.164 and its digits.
  package let namesNumber: (_ number: String, Request) -> Bool
  /// The user name that a request claims, not yet authenticated. It can select the sandbox.
  package let credential: (Request) -> String?
  /// Signs a request that repeats an earlier one, if its signature was right and is valid only once.
  package let renewSignature: (inout Request, _ earlier: Request, Context) throws -> Void

  package init(
    name: String, prefixes: [String] = [], hosts: HostNames = HostNames(),
    decompressesBodies: Bool = false, routes: [Route<Context>], isOwn: Bool = false,
    avoidsOwnedHosts: Bool = false,
    denialResponse: @escaping (_ denial: Response, Request) -> Response = { denial, _ in denial },
    errorResponse: @escaping (RequestFailure, Request, Context) -> Response,
    addCommonHeaders: @escaping (inout Headers, Request, Context) -> Void = { _, _, _ in },
    skipsFault: @escaping (_ code: String, Request, Context) throws -> Bool = { _, _, _ in false },
    namesNumber: @escaping (_ number: String, Request) -> Bool = { _, _ in false },
    credential: @escaping (Request) -> String? = { _ in nil },
    renewSignature: @escaping (inout Request, _ earlier: Request, Context) throws -> Void = { _, _, _ in }
  ) {
    self.name = name
    self.prefixes = prefixes
    self.hosts = hosts
    self.decompressesBodies = decompressesBodies
    self.routes = routes
    self.isOwn = isOwn
    self.avoidsOwnedHosts = avoidsOwnedHosts
    self.denialResponse = denialResponse
    self.errorResponse = errorResponse
    self.addCommonHeaders = addCommonHeaders
    self.skipsFault = skipsFault
    self.namesNumber = namesNumber
    self.credential = credential
    self.renewSignature = renewSignature
  }
}
