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

  /// The same for a copy.
  package func resolved(_ request: Request) -> Request {
    var request = request
    resolve(&request)
    return request
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
