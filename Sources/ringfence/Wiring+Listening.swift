import Catalog
import Control
import Crypto
import Domain
import HTTP
import Logging
import Loop
import ProviderKit
import Server

extension Wiring {
  /// Where the process listens.
  struct Listening {
    /// For everything; a proxy besides.
    var http: SocketAddress
    /// The same over TLS, where it is wanted.
    var https: SocketAddress?
    /// The gateway's own listener, where there is one; on it, each connection brings one request.
    var gateway: SocketAddress?
  }

  /// Opens the listeners; answers with the addresses really bound.
  func listen(on wanted: Listening, _ server: Server) throws -> Listening {
    var main = Server.ListenerOptions(), secure = Server.ListenerOptions(), gateway = Server.ListenerOptions()
    main.isProxy = true
    gateway.persists = false
    if wanted.https != nil || trustFolder != nil { secure.security = try security() }
    return Listening(
      http: try server.listen(on: wanted.http, main),
      https: try wanted.https.map { try server.listen(on: $0, secure) },
      gateway: try wanted.gateway.map { try server.listen(on: $0, gateway) })
  }

  /// What the proxy lets through, given where we listen.
  func proxyPolicy(around bound: Listening) -> ProxyPolicy {
    let addresses = [bound.http, bound.https, bound.gateway].compactMap(\.self)
    return ProxyPolicy(
      providers: catalog.flatMap { $0.hosts },
      listening: addresses.map { HTTP.Authority(host: $0.host, port: $0.port) },
      publicHost: sandboxes.addresses.publicURL.flatMap { AbsoluteURL($0) }?.host,
      outside: tunnels)
  }

  /// What clients are shown that speak TLS, and have to trust; made when it is first asked for.
  func security() throws -> TLSContext {
    if let knownSecurity { return knownSecurity }
    let authority = try authority ?? keptAuthority()
    if let trustFolder {
      let files = try TrustFiles.write(authority, in: trustFolder)
      if files.systemRoots == nil { log.warning("\(files.bundle): \(TrustFiles.lonely)") }
    }
    let security = try TLSContext(vouchedBy: authority)
    knownSecurity = security
    return security
  }

  /// Kept in a folder so that it has to be trusted only once, where that can be.
  private func keptAuthority() throws -> CertificateAuthority {
    do {
      return try Authority.kept(in: authorityFolder)
    } catch let failure as Files.Failure {
      log.warning("the authority behind HTTPS is another one at each start, it cannot be kept: \(failure)")
      return Authority.fresh()
    }
  }
}
