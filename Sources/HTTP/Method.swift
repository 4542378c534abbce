/// The request methods that routes are declared for.
package enum Method: String, Sendable, CaseIterable {
  /// Reads a resource.
  case get = "GET"
  /// Reads a resource without its body.
  case head = "HEAD"
  /// Creates or acts.
  case post = "POST"
  /// Replaces.
  case put = "PUT"
  /// Changes in part.
  case patch = "PATCH"
  /// Removes.
  case delete = "DELETE"
  /// Asks what is possible (CORS preflight).
  case options = "OPTIONS"
  /// Opens a tunnel through a proxy.
  case connect = "CONNECT"
}
