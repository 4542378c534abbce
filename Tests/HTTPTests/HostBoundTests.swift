import HTTP
import Support
import Testing

@Suite("HTTP · host-bound routes", .contract("Docs/Decisions.md 0029"))
struct HostBoundTests {
  private static func route(_ method: HTTP.Method, _ pattern: Pattern, _ name: String) -> Route<Void> {
    .on(method, pattern, as: name) { _, _ in Response(204) }
  }

  private static func owner(_ name: String, _ host: String, _ routes: [Route<Void>]) -> RouteOwner<Void> {
    RouteOwner(
      name: name, prefixes: [name], hosts: HostNames([host]), routes: routes,
      errorResponse: { _, _, _ in Response(404) }
    )
  }

  /// Two owners with a host-bound `/token`, and one with an unbound `/token`.
  private let router = Router([
    owner("shop", "shop.test", [route(.post, "/token", "issue"), route(.get, "/{page}", "page")]),
    owner(
      "bank", "bank.test",
      [
        route(.post, "/token", "bankToken").hostBound, route(.get, "/vault", "vault").hostBound,
        route(.get, "/mint/coins", "coins").hostBound, route(.put, "/safe", "lock").hostBound,
        route(.put, "/a/safe", "lockAnother").hostBound,
      ]),
    owner("mint", "mint.test", [route(.post, "/token", "mintToken").hostBound]),
  ])

  @Test(
    "they match only under their owner's hosts and prefix, and win over other routes there",
    arguments: [
      (.post, "/token", "127.0.0.1", "shop.issue"), (.post, "/token", "bank.test", "bank.bankToken"),
      (.post, "/token", "MINT.test:5551", "mint.mintToken"), (.post, "/token", "shop.test", "shop.issue"),
      (.post, "/bank/token", "shop.test", "bank.bankToken"),
      (.post, "/shop/token", "bank.test", "shop.issue"),
      (.get, "/vault", "bank.test", "bank.vault"), (.get, "/vault", "mint.test", "shop.page"),
      (.get, "/mint/coins", "bank.test", "bank.coins"), (.get, "/mint/coins", "shop.test", "mint: unknown"),
      (.get, "/bank/vault", "", "bank.vault"), (.head, "/vault", "bank.test", "bank.vault"),
    ] as [(HTTP.Method, String, String, String)])
  func finding(method: HTTP.Method, path: String, host: String, expected: String) {
    #expect(find(method, path, host) == expected)
  }

  @Test(
    "elsewhere they do not appear in errors either",
    arguments: [
      (.put, "/vault", "bank.test", "bank: GET"), (.put, "/safe", "mint.test", "shop: GET"),
      (.get, "/bank/safe", "", "bank: PUT"), (.put, "/a/safe", "mint.test", "mint: unknown"),
      (.put, "/a/safe", "", "nobody"), (.get, "/a/safe", "bank.test:5551", "bank: PUT"),
    ] as [(HTTP.Method, String, String, String)])
  func refusing(method: HTTP.Method, path: String, host: String, expected: String) {
    #expect(find(method, path, host) == expected)
  }

  @Test("suggestions for an unowned path have the owner's prefix")
  func nearest() {
    #expect(router.nearest(to: "/vault", limit: 1) == ["GET /bank/vault"])
    #expect(router.nearest(to: "/vault", of: router.owners[1], limit: 1) == ["GET /vault"])
  }

  @Test(
    "they only collide with routes of their owner, and with routes bound to the same host")
  func collisions() {
    let free = Self.route(.get, "/a", "free")
    let bound = Self.route(.get, "/{a}", "bound").hostBound
    func count(_ owners: RouteOwner<Void>...) -> Int { Router(owners).collisions.count }

    #expect(router.collisions.isEmpty)
    #expect(count(Self.owner("x", "x.test", [free, free.hostBound])) == 1)
    #expect(count(Self.owner("x", "x.test", [bound]), Self.owner("y", "x.test", [bound])) == 1)
    #expect(count(Self.owner("x", "x.test", [bound]), Self.owner("y", "y.test", [bound])) == 0)
    #expect(count(Self.owner("x", "x.test", [free]), Self.owner("y", "x.test", [free.hostBound])) == 0)
    #expect(count(Self.owner("x", "x.test", [free]), Self.owner("y", "y.test", [free])) == 1)
  }

  private func find(_ method: HTTP.Method, _ path: String, _ host: String) -> String {
    let (prefix, rest) = router.split(path, host: host)
    switch router.match(method, path: rest, under: prefix, host: host) {
    case .found(let route, let owner, _): return "\(owner.name).\(route.name)"
    case .failed(.wrongMethod(let allowed), let owner):
      return "\(owner.name): \(allowed.map(\.rawValue).joined(separator: ", "))"
    case .failed(_, let owner): return "\(owner.name): unknown"
    case .unowned: return "nobody"
    }
  }
}
