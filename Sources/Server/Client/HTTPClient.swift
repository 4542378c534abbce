package import Crypto
package import HTTP
package import Loop

/// Sends requests to others, each over a connection of its own; a class because callbacks come back to it.
///
/// Redirects are answers like any other, certificates are always checked, and nothing is kept between requests.
package final class HTTPClient {
  /// What came of a request.
  package enum Outcome: Sendable, Equatable {
    /// An answer; of its body no more than the limit.
    case answered(Response)
    /// None, and why.
    case failed(String)
    /// Nothing was sent, because it may not go there, and why.
    case refused(String)
  }

  let loop: EventLoop
  let configuration: Configuration
  private var knownTrust: TLSContext?
  private var exchanges: [ObjectIdentifier: OutgoingExchange] = [:]
  private var isClosed = false

  /// A client on this loop.
  package init(_ loop: EventLoop, configuration: Configuration = Configuration()) throws(TLSError) {
    self.loop = loop
    self.configuration = configuration
    if !configuration.authorities.isEmpty { _ = try trust() }
  }

  /// Whom connections over TLS trust. Read when the first is made, since the machine's own list takes 50 ms; but
  /// at once where files were named, so that a bad one is told at the start.
  func trust() throws(TLSError) -> TLSContext {
    if let knownTrust { return knownTrust }
    let trust = try TLSContext(trusting: configuration.authorities)
    knownTrust = trust
    return trust
  }

  /// Posts a body to a URL and calls back once, at once or later, unless the client is closed before. `limit` is
  /// how long this one may take, the client's own timeout where nothing is said.
  package func post(
    to text: String, headers: Headers, body: [UInt8], within limit: Duration? = nil,
    then: @escaping (Outcome) -> Void
  ) {
    loop.assertHere()
    guard !isClosed else { return }
    guard let url = AbsoluteURL(text) else {
      return then(.refused("it is no http or https URL that can be called"))
    }
    let bytes = RequestEncoder.post(url, headers: headers.with(userOf: url), body: body)
    let exchange = OutgoingExchange(
      self, to: url, sending: bytes, within: limit ?? configuration.timeout, then: then)
    exchanges[ObjectIdentifier(exchange)] = exchange
    exchange.start()
  }

  /// Ends what is under way without calling back.
  package func close() {
    loop.assertHere()
    isClosed = true
    for exchange in exchanges.values { exchange.abandon() }
    exchanges = [:]
  }

  /// Forgets an exchange that is over.
  func remove(_ exchange: OutgoingExchange) {
    exchanges[ObjectIdentifier(exchange)] = nil
  }
}

extension Headers {
  /// With the user information of a URL as Basic authentication (RFC 7617), as clients have it.
  fileprivate func with(userOf url: AbsoluteURL) -> Headers {
    guard let user = url.userInformation, self["Authorization"] == nil else { return self }
    var headers = self
    headers.add("Authorization", "Basic \(Base64.encode(user))")
    return headers
  }
}
