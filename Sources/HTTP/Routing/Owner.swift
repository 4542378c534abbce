/// Whoever answers for a set of routes: a provider, the carrier, or the sandbox itself.
///
/// A class because every request passes it on, and one reference is less to copy than eight parts.
package final class Owner<Context> {
  /// Its name, which is also a path prefix under which its routes can be had.
  package let name: String
  /// Further path prefixes that are stripped before its routes are matched.
  package let prefixes: [String]
  /// Host names that belong to it: a path unknown under one of them is refused in its words, and routes that are
  /// bound to hosts are found there.
  package let hosts: [String]
  /// Its table of contents.
  package let routes: [Route<Context>]
  /// Its words for a request that no handler of its own answers.
  package let refusal: (RequestFailure, Request, Context) -> Response
  /// Puts the fields on an answer that each of its answers has.
  package let addCommonHeaders: (inout Headers, Context) -> Void
  /// The name that a request to it signs in with, unproven; the context may follow from it.
  package let credential: (Request) -> String?

  /// An owner from its parts.
  package init(
    name: String, prefixes: [String] = [], hosts: [String] = [], routes: [Route<Context>],
    refusal: @escaping (RequestFailure, Request, Context) -> Response,
    addCommonHeaders: @escaping (inout Headers, Context) -> Void = { _, _ in },
    credential: @escaping (Request) -> String? = { _ in nil }
  ) {
    self.name = name
    self.prefixes = prefixes
    self.hosts = hosts
    self.routes = routes
    self.refusal = refusal
    self.addCommonHeaders = addCommonHeaders
    self.credential = credential
  }
}
