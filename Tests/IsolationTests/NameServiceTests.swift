import Testing

@testable import Isolation

@Suite("Isolation · NameService")
struct NameServiceTests {
  @Test("names are on the loopback")
  func names() {
    let text = NameService.hosts(["a.example", "b.example"], besides: "")

    #expect(
      text == """
        127.0.0.1 localhost
        127.0.0.1 a.example
        127.0.0.1 b.example

        """)
  }

  @Test("what the machine had on its loopback stays, what cannot be reached goes")
  func present() {
    let text = NameService.hosts(
      ["a.example", "box"],
      besides: """
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

  @Test("of the switch one line is changed")
  func switching() {
    let text = NameService.switching(
      "passwd: files systemd\nhosts: mymachines resolve [!UNAVAIL=return] dns\n")

    #expect(text == "passwd: files systemd\nhosts: files dns\n")
    #expect(NameService.switching("") == "hosts: files dns\n")
  }
}
