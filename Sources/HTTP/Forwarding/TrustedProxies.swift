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
