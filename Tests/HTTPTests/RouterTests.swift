import CatalogSupport
import HTTP
import Support
import Testing

/// A router's outcome in comparable form.
private enum Found: Equatable {
  case route(String, [String])
  case failed(String, RequestFailure)
  case unowned
}

/// Two owners with all kinds of routes: literals, captures, a suffix, a shared path, an operation not
/// emulated.
private func makeRouter() -> Router<Void> {
  func route(_ method: HTTP.Method, _ pattern: Pattern, _ name: String) -> Route<Void> {
    .on(method, pattern, as: name) { _, _ in Response(204) }
  }
  func owner(
    _ name: String, prefixes: [String] = [], hosts: [String] = [], isOwn: Bool = false,
    _ routes: [Route<Void>]
  ) -> RouteOwner<Void> {
    RouteOwner(
      name: name, prefixes: [name] + prefixes, hosts: HostNames(hosts), routes: routes, isOwn: isOwn,
      errorResponse: { _, _, _ in Response(404) })
  }
  return Router([
    owner(
      "shop", prefixes: ["store"], hosts: ["shop.test"],
      [
        route(.get, "/v1/items", "list"), route(.post, "/v1/items", "create"),
        route(.get, "/v1/items/{item}", "fetch"), route(.get, "/v1/items/latest", "fetchLatest"),
        route(.get, "/v1/items/{item}/parts/{part}", "fetchPart"),
        route(.get, "/v1/accounts/{account}.json", "fetchAccount"),
        route(.get, "/v1/accounts/{account}.json.gz", "fetchPacked"),
        route(.delete, "/v1/accounts/{account}", "deleteAccount"),
        route(.get, "/", "root"), .notEmulated(.put, "/v1/items", as: "replace"),
      ]),
    owner(
      "bank", hosts: ["bank.test"],
      [
        route(.get, "/v1/accounts", "accounts"), route(.post, "/v1/items/{item}", "pay"),
        route(.options, "/v1/payments/{action}", "preflight"),
      ]),
    owner("desk", isOwn: true, [route(.get, "/papers/today", "papers")]),
  ])
}

@Suite("HTTP · router")
struct RouterTests {
  let router = makeRouter()

  @Test("no two routes of all providers and the control API match the same request")
  func collisions() throws {
    let world = try TestSandbox.withCatalog()

    #expect(world.routes.count > 80)
    #expect(world.router.collisions.isEmpty, "\(world.router.collisions)")
    #expect(router.collisions.isEmpty)
  }

  // CAMARADialectTests and FCMTokenTests have the rules for operations with several paths.
  @Test("no two routes of an owner have the same name")
  func names() throws {
    let names = try TestSandbox.withCatalog().routes.filter { $0.owner != "camara" }.map {
      "\($0.owner).\($0.name)"
    }.filter { $0 != "fcm.createToken" }

    #expect(Set(names).count == names.count)
  }

  @Test(
    "patterns that match the same path collide",
    arguments: [
      ("/a/{x}", "/a/{y}", true), ("/a/{x}.json", "/a/{y}", true), ("/a/{x}.json", "/a/{y}.xml", false),
      ("/a/b", "/a/b", true), ("/a/b", "/a/{x}", false), ("/a/{x}", "/a/{x}/b", false),
      ("/{x}/b", "/a/{y}", false), ("/", "/a", false),
    ] as [(Pattern, Pattern, Bool)])
  func collision(one: Pattern, other: Pattern, expected: Bool) {
    #expect(one.collides(with: other) == expected)
    #expect(other.collides(with: one) == expected)
  }

  @Test(
    "a path finds its route and captures",
    arguments: [
      ("/v1/items", "list", []), ("/v1/items/7", "fetch", ["7"]), ("/v1/items/latest", "fetchLatest", []),
      ("/v1/items/latest7", "fetch", ["latest7"]), ("/v1/items/7/parts/8", "fetchPart", ["7", "8"]),
      ("/v1/items/latest/parts/8", "fetchPart", ["latest", "8"]),
      ("/v1/accounts/a.json", "fetchAccount", ["a"]),
      ("/v1/accounts/a.json.gz", "fetchPacked", ["a"]),
      ("/v1/accounts/a.json.json", "fetchAccount", ["a.json"]),
      ("/", "root", []), ("/store", "root", []), ("/shop/", "root", []),
      ("/store/v1/items/7", "fetch", ["7"]),
      ("/bank/v1/accounts", "accounts", []), ("/v1/accounts", "accounts", []),
    ])
  func finding(path: String, name: String, captures: [String]) {
    #expect(find(path) == .route(name, captures))
  }

  @Test(
    "46 B1: slashes after a base URL, and one at the end, do not hide a provider's route",
    arguments: [
      ("//v1/accounts", .route("accounts", [])), ("///v1/accounts", .route("accounts", [])),
      ("/v1/accounts/", .route("accounts", [])), ("//v1/items/7/", .route("fetch", ["7"])),
      ("/bank//v1/accounts/", .route("accounts", [])), ("//shop//v1/items/7", .route("fetch", ["7"])),
      ("//v1/accounts/a.json/", .route("fetchAccount", ["a"])), ("//", .route("root", [])),
      ("/bank//v1/nothing", .failed("bank", .unknownPath)), ("//v1//accounts", .unowned),
      ("/v1/accounts//", .unowned), ("/v1/items/7/parts//", .failed("shop", .unknownPath)),
      ("/papers/today", .route("papers", [])), ("//papers/today", .failed("desk", .unknownPath)),
      ("/papers/today/", .failed("desk", .unknownPath)),
    ] as [(String, Found)])
  private func slashes(path: String, outcome: Found) {
    #expect(find(path) == outcome)
  }

  @Test("46 B1: every route of every provider is found with slashes around its path")
  func slashesOfProviders() throws {
    let router = try TestSandbox.withCatalog().router
    for owner in router.owners where !owner.isOwn {
      let host = owner.hosts.names.first ?? ""
      for route in owner.routes {
        let path = route.pattern.description.replacing(/{[^}]*}/, with: "x")
        func name(_ path: String) -> String? {
          router.find(route.method, path, host: host).outcome.route?.name
        }
        #expect(["/\(path)", "\(path)/", "/\(path)/"].allSatisfy { name($0) == name(path) }, "\(path)")
        #expect(name("/\(owner.name)/\(path)") == name("/\(owner.name)\(path)"), "\(path)")
      }
    }
  }

  @Test("46 B1: a wrong method is one with a slash at the end, too")
  func slashOfWrongMethod() {
    #expect(find(.delete, "/v1/items/") == .failed("shop", .wrongMethod(allowed: [.get, .post, .put])))
    #expect(find(.delete, "//bank/v1/accounts") == .failed("bank", .wrongMethod(allowed: [.get])))
  }

  @Test("46 B1: the match says that slashes were removed from the path")
  func removedSlashes() {
    let match = router.find(.get, "//store//v1/items/7/", host: "")

    #expect((match.prefix, match.path, match.hasExtraSlashes) == ("/store", "/v1/items/7", true))
  }

  @Test(
    "a similar path finds nothing",
    arguments: [
      "/v1//items", "/V1/items", "/v1/item",
      "/v1/accounts/a.xml/b",
      "", "v1/items",
      "/shops/v1/items",
      "/v1%2Fitems", "/%76%31/items",
    ])
  func nearMisses(path: String) {
    #expect(find(path) == .unowned)
  }

  @Test(
    "an unknown path that begins like the routes of one owner only is that owner's",
    arguments: ["/v1/items/7/parts", "/v1/items/7/parts/8/9", "/v1/items/7/parts/8//"])
  func likelyOwner(path: String) {
    #expect(find(path) == .failed("shop", .unknownPath))
  }

  @Test(
    "an empty segment, or one with only the suffix, is never captured",
    arguments: ["/v1/items//parts/8", "/bank/v1/accounts/.json"])
  func emptyCapture(path: String) {
    #expect(find(path) != .route("fetchPart", ["", "8"]))
    #expect(find(path) != .route("fetchAccount", [""]))
  }

  @Test("HEAD finds what GET finds")
  func head() {
    #expect(find(.head, "/v1/items/7") == .route("fetch", ["7"]))
    #expect(find(.head, "/v1/nothing") == .unowned)
  }

  @Test("a pattern for preflights makes no path known")
  func preflights() {
    #expect(find(.options, "/v1/payments/sent") == .route("preflight", ["sent"]))
    #expect(find(.post, "/v1/payments/sent") == .failed("bank", .unknownPath))
  }

  @Test("a wrong method is an error of the path's owner, with the allowed methods")
  func wrongMethod() {
    #expect(find(.delete, "/v1/items") == .failed("shop", .wrongMethod(allowed: [.get, .post, .put])))
    #expect(find(.post, "/v1/accounts") == .failed("bank", .wrongMethod(allowed: [.get])))
    #expect(find(.connect, "/v1/items/7") == .failed("shop", .wrongMethod(allowed: [.get, .post])))
    #expect(find(.post, "/shop/v1/items/7") == .failed("shop", .wrongMethod(allowed: [.get])))
  }

  @Test(
    "a method is looked up in all patterns that match",
    arguments: [("/v1/accounts/a.json", "a.json"), ("/v1/accounts/a", "a")])
  func methodOfAnotherPattern(path: String, capture: String) {
    #expect(find(.delete, path) == .route("deleteAccount", [capture]))
  }

  @Test("a literal of one owner does not hide another owner's capture from other methods")
  func literalBesideCapture() {
    #expect(find(.post, "/v1/items/latest") == .route("pay", ["latest"]))
    #expect(find(.post, "/bank/v1/items/latest") == .route("pay", ["latest"]))
  }

  @Test("an operation that is not emulated is found")
  func absent() {
    #expect(find(.put, "/v1/items") == .route("replace", []))
  }

  @Test("an unknown path belongs to the owner of its prefix, else of its host, else to nobody")
  func owners() {
    #expect(find("/shop/nothing") == .failed("shop", .unknownPath))
    #expect(find("/store/nothing", host: "bank.test") == .failed("shop", .unknownPath))
    #expect(find("/nothing", host: "bank.test") == .failed("bank", .unknownPath))
    #expect(find("/nothing", host: "BANK.test:5550") == .failed("bank", .unknownPath))
    #expect(find("/nothing", host: "other.test") == .unowned)
  }

  @Test("a prefix only finds its owner's routes")
  func prefixOfAnother() {
    #expect(find("/bank/v1/items") == .failed("bank", .unknownPath))
    #expect(find("/shop/v1/accounts") == .failed("shop", .unknownPath))
  }

  @Test(
    "a prefix is a whole segment and is removed once",
    arguments: [
      ("/shop/shop/v1/items", "/shop/v1/items", "/shop"), ("/shopping", "/shopping", ""),
      ("/store", "/", "/store"),
    ])
  func split(path: String, rest: String, prefix: String) {
    let parts = router.split(path, host: "127.0.0.1")

    #expect(parts.prefix == prefix)
    #expect(parts.path == rest)
  }

  @Test(
    "captures are decoded, and a plus stays a plus",
    arguments: [
      ("/v1/items/+1555", "+1555"), ("/v1/items/%2B1555", "+1555"), ("/v1/items/a%40b.c", "a@b.c"),
      ("/v1/items/a%20b+c", "a b+c"), ("/v1/items/a%2Fb", "a/b"), ("/v1/items/%C3%A9", "é"),
      ("/v1/items/%2e", "."),
    ])
  func decoding(path: String, value: String) {
    #expect(find(path) == .route("fetch", [value]))
  }

  @Test(
    "a broken escape in a capture is an error with its name",
    arguments: ["%", "%2", "%2G", "%FF", "%C3", "a%"])
  func brokenEscape(segment: String) {
    #expect(
      find("/v1/items/\(segment)")
        == .failed("shop", .malformed(field: "item", expected: "a path segment in percent-encoded UTF-8")))
  }

  @Test("the nearest routes are the most similar ones")
  func nearest() {
    #expect(router.nearest(to: "/v1/itms/7").first == "GET /v1/items/{item}")
    #expect(router.nearest(to: "/V1/Items").prefix(3).contains("POST /v1/items"))
    #expect(router.nearest(to: "/v1/items/7/part/8", limit: 1) == ["GET /v1/items/{item}/parts/{part}"])
    #expect(router.nearest(to: "/v1/itms", limit: 1).first?.hasSuffix(" /v1/items") == true)
    #expect(router.nearest(to: "/").count <= 3)
  }

  private func find(_ path: String, host: String = "127.0.0.1") -> Found { find(.get, path, host: host) }

  private func find(_ method: HTTP.Method, _ path: String, host: String = "127.0.0.1") -> Found {
    switch router.find(method, path, host: host).outcome {
    case .found(let route, _, let parameters):
      return .route(route.name, route.pattern.names.map { parameters[$0] })
    case .failed(let reason, let owner): return .failed(owner.name, reason)
    case .unowned: return .unowned
    }
  }
}
