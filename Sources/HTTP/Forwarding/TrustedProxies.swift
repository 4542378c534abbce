/// The reverse proxies whose `Forwarded` and `X-Forwarded-…` fields count.
package struct TrustedProxies: Sendable {
  private let ranges: [AddressRange]

  package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

  package var isEmpty: Bool { ranges.isEmpty }

  /// A request as it reached the first trusted proxy.
  package struct Client: Equatable {
    package var address: IPAddress
    /// Nil if no proxy tells it.
    package var scheme: String?
    /// Nil if no proxy tells it.
    package var host: String?
  }

  /// Nil if the request does not come from a trusted proxy, or if nothing is known.
  ///
  /// A proxy sets one kind of fields and passes the other on as the client sent it. So if both are there,
  /// they must name the same address.
  package func client(of request: Request) -> Client? {
    guard let peer = IPAddress(withPort: request.peer), trusts(peer) else { return nil }
    let hops = [ForwardedFields.standard(request.headers), ForwardedFields.older(request.headers)]
    let clients = hops.filter { !$0.isEmpty }.map { client(behind: peer, $0) }
    guard let first = clients.first, clients.allSatisfy({ $0.address == first.address }) else { return nil }
    return Client(
      address: first.address, scheme: first.scheme ?? clients.last?.scheme,
      host: first.host ?? clients.last?.host)
  }

  /// Follows the hops from the newest to the first that no trusted proxy tells of.
  private func client(behind peer: IPAddress, _ hops: [ForwardedHop]) -> Client {
    var client = Client(address: peer)
    for hop in hops.suffix(ForwardedFields.hopLimit).reversed() {
      guard trusts(client.address) else { break }
      client.scheme = hop.scheme ?? client.scheme
      client.host = hop.host ?? client.host
      guard let address = hop.address else { break }
      client.address = address
    }
    return client
  }

  private func trusts(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

/// How clients reach this server: by reverse proxies, and under its public URL.
package struct PublicAddress: Sendable {
  private let proxies: TrustedProxies
  private let url: AbsoluteURL?
  private let providers: HostNames

  /// `providers` are the hosts that the server also answers for.
  package init(
    url: AbsoluteURL? = nil, proxies: TrustedProxies = TrustedProxies(), providers: HostNames = HostNames()
  ) {
    (self.url, self.proxies, self.providers) = (url, proxies, providers)
  }

  /// Replaces what the last proxy did by what the client did, and sets the origin of links.
  ///
  /// Requests to this server as a forward proxy stay as they are: their client chose the URL.
  package func resolve(_ request: inout Request) {
    guard case .direct = request.via else { return }
    if !proxies.isEmpty, let client = proxies.client(of: request) {
      request.peer = client.address.description
      request.scheme = client.scheme ?? request.scheme
      request.forwardedHost = client.host
    }
    if let url { request.publicOrigin = origin(under: url, of: request) }
  }

  /// Nil for a request whose own origin is right.
  private func origin(under url: AbsoluteURL, of request: Request) -> String? {
    let host = Authority(request.host)
    let isPublicHost = host == Authority(url.authority)
    guard isPublicHost || url.isSecure && request.scheme == "http" else { return nil }
    guard !isPublicHost, let host, providers.contains(host.host) else { return url.origin }
    return "https://\(host.host)"
  }
}
