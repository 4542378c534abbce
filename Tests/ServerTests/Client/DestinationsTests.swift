import Loop
import Server
import Testing

@Suite("Server · allowed destinations")
struct DestinationsTests {
  private func addresses(_ hosts: [String]) -> [SocketAddress] {
    hosts.map { SocketAddress(host: $0, port: 80) }
  }

  @Test(
    "loopback addresses are allowed", arguments: ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.1.2.3"])
  func loopback(host: String) {
    #expect(SocketAddress(host: host, port: 1).isLoopback)
    #expect(Destinations().denialReason(for: "a.test", at: addresses([host])) == nil)
  }

  @Test(
    "other addresses are not loopback",
    arguments: ["128.0.0.1", "0.0.0.0", "10.0.0.1", "::", "::2", "::ffff:10.0.0.1", "fe80::1", "a.test"])
  func foreign(host: String) {
    #expect(!SocketAddress(host: host, port: 1).isLoopback)
  }

  @Test("a name with one remote address is denied, and the reason names it")
  func mixed() {
    #expect(
      Destinations().denialReason(for: "a.test", at: addresses(["127.0.0.1", "10.0.0.1"]))
        == "a.test (10.0.0.1) is not a loopback address; to allow it, start with --webhook-allow a.test"
    )
  }

  @Test(
    "only names of this machine, and allowed ones, are looked up",
    arguments: [
      ("localhost", true), ("app.LOCALHOST", true), ("my-app.test", true), ("MY-APP.test", true),
      ("blocked.test", false), ("evil.example", false), ("localhost.evil.example", false),
      ("3221225985", true), ("1.2.3.4.5", false),
      ("hook.allowed.test", true), ("192.0.2.1", true), ("::1", true),
    ])
  func names(host: String, isLookedUp: Bool) {
    let file = """
      127.0.0.1\tlocalhost my-laptop # blocked.test
      127.0.1.1 My-App.test
      0.0.0.0 blocked.test
      nonsense blocked.test
      """
    let destinations = Destinations(allowing: ["*.allowed.test"]) { HostsFile.loopbackNames(in: file) }

    #expect((destinations.denialReason(for: host) == nil) == isLookedUp)
  }

  @Test(
    "a host that is allowed may have any address",
    arguments: [
      ("a.test", "a.test", true), ("A.test", "a.TEST", true), ("a.test", "b.a.test", false),
      ("*.a.test", "b.a.test", true), ("*.a.test", "a.test", false), ("*.a.test", "ba.test", false),
      ("*", "b.test", true), ("10.0.0.1", "10.0.0.1", true), ("[2001:db8::1]", "2001:db8::1", true),
      ("10.0.0.1", "a.test", false),
    ])
  func allowed(entry: String, host: String, may: Bool) {
    let destinations = Destinations(allowing: ["x.test", entry])

    #expect((destinations.denialReason(for: host, at: addresses(["10.0.0.1"])) == nil) == may)
  }

  /// Issue 45, C6.
  @Test(
    "on a server that others use, this machine and its link are only allowed by name",
    arguments: [
      "127.0.0.1", "127.255.255.254", "0.0.0.0", "169.254.169.254", "::1", "::", "::127.0.0.1",
      "::ffff:127.0.0.1", "::ffff:169.254.169.254", "fe80::1", "fe80::1%lo",
    ])
  func local(address: String) {
    for host in [address, "a.test", "localhost"] {
      for entries in [[], ["*"], ["*.test", "*.localhost"], ["b.test", "10.0.0.1"]] {
        #expect(!isAllowed(host, at: [address], by: entries), "\(host) by \(entries)")
        #expect(!isAllowed(host, at: ["192.0.2.1", address], by: entries), "\(host) by \(entries)")
      }
      #expect(isAllowed(host, at: [address], by: [host]))
    }
  }

  @Test("on a server that others use, no host is allowed by itself, and `*` means all others")
  func shared() {
    for address in ["192.0.2.1", "10.0.0.1", "192.168.1.7", "fd00::1"] {
      #expect(!isAllowed(address, at: [address], by: []))
      #expect(isAllowed(address, at: [address], by: ["*"]))
      #expect(isAllowed("a.test", at: [address], by: ["*.test"]))
    }
    var destinations = Destinations()
    destinations.isShared = true
    let why = "localhost is not allowed on a server that others use"
    #expect(
      destinations.denialReason(for: "localhost")
        == "\(why); to allow it, start with --webhook-allow localhost")
  }

  /// On a server that others use.
  private func isAllowed(_ host: String, at found: [String], by entries: [String]) -> Bool {
    var destinations = Destinations(allowing: entries)
    destinations.isShared = true
    return destinations.denialReason(for: host) == nil
      && destinations.denialReason(for: host, at: addresses(found)) == nil
  }
}
