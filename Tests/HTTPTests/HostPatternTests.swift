import HTTP
import Support
import Testing

@Suite("HTTP · patterns of host names")
struct HostPatternTests {
  private static let regional = HostPattern(
    "{product}.{region}.shop.test", choices: ["product": ["api", "web"]],
    known: ["region": ["north", "south"]])
  private static let edge = HostPattern(
    "{product}.{edge}.{region}.shop.test", choices: ["product": ["api", "web"]],
    known: ["edge": ["one"], "region": ["north"]])

  @Test(
    "a place takes one of its choices, or any single label",
    arguments: [
      ("api.north.shop.test", true), ("web.x-1.shop.test", true), ("cdn.north.shop.test", false),
      ("api.shop.test", false), ("api.a.b.shop.test", false), ("api..shop.test", false),
      ("api.-a.shop.test", false), ("api.a-.shop.test", false), ("api.a_b.shop.test", false),
      ("api.north.shop.test.", false), ("api.north.shop.example", false), ("", false),
      ("api.\(String(repeating: "a", count: 63)).shop.test", true),
      ("api.\(String(repeating: "a", count: 64)).shop.test", false),
    ])
  func matching(host: String, isMatch: Bool) {
    #expect(Self.regional.matches(host) == isMatch)
  }

  @Test("known names are for files without wildcards, the domain has all names")
  func names() {
    let names = ["api.north.shop.test", "api.south.shop.test", "web.north.shop.test", "web.south.shop.test"]
    #expect(Self.regional.knownNames == names)
    #expect(Self.edge.knownNames == ["api.one.north.shop.test", "web.one.north.shop.test"])
    #expect(Self.regional.domain == "shop.test")
    #expect(Self.regional.description == "{product}.{region}.shop.test")
  }

  @Test("a request under a host of a pattern belongs to the pattern's owner; an exact name wins")
  func routing() {
    func owner(_ name: String, _ hosts: HostNames) -> RouteOwner<Void> {
      RouteOwner(
        name: name, hosts: hosts,
        routes: [Route<Void>.get("/token", as: "token") { _, _ in Response(204) }.hostBound],
        errorResponse: { _, _, _ in Response(404) })
    }
    let router = Router([
      owner("shop", HostNames(["shop.test"], patterns: [Self.regional, Self.edge])),
      owner("bank", HostNames(["api.bank.shop.test"])),
    ])
    func find(_ host: String) -> String {
      switch router.match(.get, path: "/token", host: host) {
      case .found(_, let owner, _): owner.name
      case .failed, .unowned: "nobody"
      }
    }

    #expect(find("API.one.North.shop.test:443") == "shop")
    #expect(find("api.bank.shop.test") == "bank")
    #expect(find("api.bank.bank.shop.test") == "shop")
    #expect(find("cdn.north.shop.test") == "nobody")
  }
}
