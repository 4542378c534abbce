/// What the requests of one connection have in common. All requests of HTTP/2 on a connection share one.
///
/// A class for its identity: it ends with the connection.
package final class RequestConnection {
  /// The certificate that the client showed, in DER; nil: none. Nobody has checked it.
  package var clientCertificate: [UInt8]?
  /// What route owners remember until the connection ends, by names of their own.
  package var notes: [String: String] = [:]

  /// The server's address, to which the client has connected; nil: unknown.
  let server: Authority?

  package init(to server: Authority? = nil) { self.server = server }
}
