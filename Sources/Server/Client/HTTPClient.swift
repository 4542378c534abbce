package import Crypto
package import HTTP
package import Loop

/// Sends requests to other servers, each over its own connection.
///
/// Redirects are not followed, and certificates are always checked.
package final class HTTPClient {
  package enum Outcome: Sendable, Equatable {
    /// The body is cut off at the limit.
    case answered(Response)
    /// There was no response, for this reason.
    case failed(String)
    /// Nothing was sent: the destination is not allowed, for this reason.
    case denied(String)
  }

  package struct Configuration: Sendable {
    package var destinations = Destinations()
    /// PEM files with certificate authorities to trust in addition to the machine's own.
    package var authorities: [String] = []
    /// From the name lookup to the end of the response.
    package var timeout = Duration.seconds(10)
    /// The body is cut off at its limit.
    package var limits = Limits()

    /// This machine only, ten seconds, 16 KiB of head and 16 KiB of body.
    package init() {
      limits.body = 16_384
    }
  }

  let loop: EventLoop
  let configuration: Configuration
  private var cachedTLSContext: TLSContext?
  private var exchanges: [ObjectIdentifier: OutgoingExchange] = [:]
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

  /// Posts a body. Calls back exactly once, possibly before it returns, but never after `close`. `timeout`
  /// overrides the client's own.
  package func post(
    to text: String, headers: Headers, body: [UInt8], within timeout: Duration? = nil,
    then: @escaping (Outcome) -> Void
  ) {
    loop.assertOnThread()
    guard !isClosed else { return }
    guard let url = AbsoluteURL(text) else {
      return then(.denied("not a valid http or https URL"))
    }
    let bytes = RequestEncoder.post(url, headers: headers.addingCredentials(of: url), body: body)
    let exchange = OutgoingExchange(
      self, to: url, sending: bytes, within: timeout ?? configuration.timeout, then: then)
    exchanges[ObjectIdentifier(exchange)] = exchange
    exchange.start()
  }

  /// Cancels all requests without calling back.
  package func close() {
    loop.assertOnThread()
    isClosed = true
    for exchange in exchanges.values { exchange.cancel() }
    exchanges = [:]
  }

  func remove(_ exchange: OutgoingExchange) {
    exchanges[ObjectIdentifier(exchange)] = nil
  }
}

/// The hosts that outgoing requests may reach: this machine, and hosts that the operator allows by name.
///
/// Other names are not looked up, because a look-up leaves this machine. The resolved address is checked too,
/// and each host is looked up only once. So DNS rebinding cannot bypass it.
package struct Destinations: Sendable {
  private let allowed: HostList
  private let localNames: @Sendable () -> Set<String>

  /// `localNames` are names of this machine besides `localhost`, in lower case.
  package init(
    allowing hosts: [String] = [],
    localNames: @escaping @Sendable () -> Set<String> = { HostsFile.loopbackNames }
  ) {
    allowed = HostList(hosts)
    self.localNames = localNames
  }

  /// Why a host must not even be looked up; nil if it may.
  package func denialReason(for host: String) -> String? {
    guard !SocketAddress(host: host, port: 0).isNumeric, !allowed.contains(host) else { return nil }
    let name = host.lowercased()
    guard !Authority(host: name, port: nil).isLoopback, !localNames().contains(name) else { return nil }
    return "\(host) is no name of this machine; to allow it, start with --webhook-allow \(host)"
  }

  /// Why a host with these addresses must not be reached; nil if it is allowed.
  package func denialReason(for host: String, at addresses: [SocketAddress]) -> String? {
    guard !allowed.contains(host) else { return nil }
    guard let remote = addresses.first(where: { !$0.isLoopback }) else { return nil }
    let subject = remote.host == host ? host : "\(host) (\(remote.host))"
    return "\(subject) is not a loopback address; to allow it, start with --webhook-allow \(host)"
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
