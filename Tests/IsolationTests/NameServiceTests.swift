import Testing

@testable import Isolation

@Suite("Isolation · NameService")
struct NameServiceTests {
  @Test("names resolve to the loopback")
  func names() {
    let text = NameService.hosts(["a.example", "b.example"], keeping: "")

    #expect(
      text == """
        127.0.0.1 localhost
        127.0.0.1 a.example
        127.0.0.1 b.example

        """)
  }

  @Test("only loopback entries of the old file are kept")
  func present() {
    let text = NameService.hosts(
      ["a.example", "box"],
      keeping: """
        # a comment
        127.0.0.1\tlocalhost
        ::1     localhost ip6-localhost # here
        127.0.1.1 shop.test
        10.0.0.7 db.internal
        172.17.0.2 box
        192.0.2.9 a.example
        ::1 b.example A.EXAMPLE
        nonsense
        """)

    #expect(
      text.split(separator: "\n").dropFirst(3) == [
        "::1     localhost ip6-localhost # here", "127.0.1.1 shop.test",
      ])
  }

  @Test("only the hosts line is changed")
  func nsswitch() {
    let text = NameService.nsswitch(
      "passwd: files systemd\nhosts: mymachines resolve [!UNAVAIL=return] dns\n")

    #expect(text == "passwd: files systemd\nhosts: files dns\n")
    #expect(NameService.nsswitch("") == "hosts: files dns\n")
  }
}
