import ProviderKit
import Support
import Testing

@testable import Prelude

@Suite("Prelude · SDK agents and quirks", .contract("prelude.md 13.1, 14.2"))
struct PreludeFrontEndTests {
  @Test(
    "the agent of an SDK has platform, system version and browser",
    arguments: [
      ("Prelude/0.5.1 Core/0.3.0 (iOS 18.0)", "ios", "ios", "18.0", nil),
      ("Prelude/0.5.1 Core/0.3.0 (iPadOS 18.1)", "ipados", "ios", "18.1", nil),
      ("Prelude/0.4.2 Core/0.3.0 (Android 15)", "android", "android", "15", nil),
      ("Prelude/0.2.14 Core/0.1.2 Mozilla/5.0 (X11)", "web", "web", nil, "Mozilla/5.0 (X11)"),
      ("Prelude/0.5.1 Core/0.3.0 (Plan9 4)", nil, nil, "4", nil),
      ("Prelude/0.5.1 Core/0.3.0", nil, nil, nil, nil),
      ("Prelude/0.5.1 Core/", nil, nil, nil, nil), ("Prelude/0.5.1 Core/0.3.0 (", nil, nil, nil, nil),
      ("Prelude/0.5.1 Core/0.3.0 ()", nil, nil, nil, nil),
    ] as [(String, String?, String?, String?, String?)])
  func agents(text: String, platform: String?, key: String?, version: String?, browser: String?) throws {
    let agent = try #require(SDKAgent(text))

    #expect(agent.text == text)
    #expect(
      [agent.platform?.rawValue, agent.keyPlatform?.rawValue, agent.osVersion, agent.browser] == [
        platform, key, version, browser,
      ])
  }

  @Test(
    "other agents are not SDKs",
    arguments: ["", "curl/8", "Prelude/0.5.1", "prelude/1 Core/1 (iOS 1)"])
  func otherAgents(text: String) {
    #expect(SDKAgent(text) == nil)
  }

  @Test(
    "a quirk has one or more pairs of a host and a value in quotes",
    arguments: [
      (#"X-SDK-Quirk-TLS: host="*";version="1.3""#, true),
      (#"X-SDK-Quirk-Header-Accept: host="a";value="b", host="*.c";value="""#, true),
      (#"X-SDK-Quirk-Header-Accept: host="a";value="b","#, false),
      (#"X-SDK-Quirk-Header-Accept: host="a";value="b";"#, false),
      (#"X-SDK-Quirk-Header-Accept: host="";value="b""#, false),
      (#"X-SDK-Quirk-Header-Accept: host="a";version="1.2""#, false),
      (#"X-SDK-Quirk-Header-Ä: host="a";value="b""#, false),
      (#"X-SDK-Quirk-TLS:host="*";version="1.3""#, false),
      (#"X-SDK-Quirk-TLS: host="*";version="1.3"#, false), ("X-SDK-Quirk-TLS: ", false), ("", false),
    ])
  func quirks(line: String, isValid: Bool) {
    let quirk = SDKQuirk(line)

    #expect(quirk.map { "\($0.name): \($0.value)" } == (isValid ? line : nil))
  }
}
