package import Crypto
package import HTTP
package import Loop

/// Sends requests to other servers. After a response, a connection is kept for the next request to the same
/// receiver.
///
/// Redirects are not followed, and certificates are always checked.
package final class HTTPClient {
  package enum Outcome: Sendable, Equatable {
    /// The body is cut off at the limit.
    case answered(Response)
    /// There was no connection, for this reason.
    case unreachable(String)
    /// There was no response, for this reason.
    case failed(String)
    /// Nothing was sent: the destination is not allowed, for this reason.
    case denied(String)
  }

  package struct Timeouts: Sendable {
    /// From the name lookup to the end of the response.
    package var total: Duration
    /// To the end of the TLS handshake; nil: as long as the whole.
    package var connecting: Duration?
    /// Without a byte of the response; nil: as long as the whole.
    package var silence: Duration?

    package init(total: Duration, connecting: Duration? = nil, silence: Duration? = nil) {
      (self.total, self.connecting, self.silence) = (total, connecting, silence)
    }
  }

  package struct Configuration: Sendable {
    package var destinations = Destinations()
    /// PEM files with certificate authorities to trust in addition to the machine's own.
    package var authorities: [String] = []
    package var timeouts = Timeouts(total: .seconds(10))
    /// The body is cut off at its limit.
    package var limits = Limits()

    /// This machine only, ten seconds, 16 KiB of head and 64 KiB of body.
    package init() {
      limits.body = 65_536
    }
  }

  let loop: EventLoop
  let configuration: Configuration
  private var cachedTLSContext: TLSContext?
  private var exchanges: [ObjectIdentifier: OutgoingExchange] = [:]
  /// Connections between two exchanges: one for each receiver.
  private var kept: [String: OutgoingConnection] = [:]
  private var isClosed = false

  /// Throws if one of the configured authorities cannot be read.
  package init(_ loop: EventLoop, configuration: Configuration = Configuration()) throws(TLSError) {
    self.loop = loop
    self.configuration = configuration
    if !configuration.authorities.isEmpty { _ = try tlsContext() }
  }

  /// Created on first use, because loading the machine's certificates takes 50 ms.
  func tlsContext() throws(TLSError) -> TLSContext {
    if let cachedTLSContext { return cachedTLSContext }
    let context = try TLSContext(trusting: configuration.authorities)
    cachedTLSContext = context
    return context
  }

  /// Sends a request. Calls back exactly once, possibly before it returns, but never after `close`.
  /// `timeouts` replace the client's own.
  package func send(
    _ method: Method, to text: String, headers: Headers, body: [UInt8], within timeouts: Timeouts? = nil,
    then: @escaping (Outcome) -> Void
  ) {
    loop.assertOnThread()
    guard !isClosed else { return }
    guard let url = AbsoluteURL(text, atMost: Self.urlLimit) else {
      return then(.denied("not a valid http or https URL"))
    }
    let bytes = RequestEncoder.request(method, url, headers: headers.addingCredentials(of: url), body: body)
    let exchange = OutgoingExchange(
      self, to: url, sending: bytes, within: timeouts ?? configuration.timeouts, then: then)
    exchanges[ObjectIdentifier(exchange)] = exchange
    exchange.start()
  }

  /// In bytes: the query of a GET request has what is the body of others.
  private static let urlLimit = 65_536

  /// Cancels all requests without calling back.
  package func close() {
    loop.assertOnThread()
    isClosed = true
    for exchange in exchanges.values { exchange.cancel() }
    exchanges = [:]
    for connection in kept.values { connection.close() }
  }

  func remove(_ exchange: OutgoingExchange) {
    exchanges[ObjectIdentifier(exchange)] = nil
  }

  /// The connection that is kept for a receiver.
  func takeConnection(to receiver: String) -> OutgoingConnection? { kept.removeValue(forKey: receiver) }

  /// Keeps a connection, or closes it if there are enough.
  func keep(_ connection: OutgoingConnection) {
    guard kept.count < Self.keptLimit, kept[connection.receiver] == nil,
      (try? connection.pause()) != nil
    else { return connection.close() }
    kept[connection.receiver] = connection
  }

  /// The most connections that are kept.
  private static let keptLimit = 32

  /// Called when a connection is closed.
  func forget(_ connection: OutgoingConnection) {
    if kept[connection.receiver] === connection { kept[connection.receiver] = nil }
  }
}

extension Headers {
  /// Adds the URL's user information as Basic authentication (RFC 7617).
  fileprivate func addingCredentials(of url: AbsoluteURL) -> Headers {
    guard let user = url.userInformation, self["Authorization"] == nil else { return self }
    var headers = self
    headers.add("Authorization", "Basic \(Base64.encode(user))")
    return headers
  }
}
