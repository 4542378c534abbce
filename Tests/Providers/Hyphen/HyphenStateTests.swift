import HTTP
import JSON
import Support
import Testing

/// An action of the state matrix.
private enum Action: String, CaseIterable {
  case approve, deny, retry, finish, fetch
}

/// A column of the state matrix.
private enum Start: String, CaseIterable {
  case pending, approved, denied, expired, finished
}

@Suite("Hyphen · states of a request for approval", .contract("hyphen.md 6"))
struct HyphenStateTests {
  /// The status and the code of each cell.
  private static let matrix: [Action: [String]] = [
    .approve: [
      "204", "409 TwoFactorAuthAlreadyResolved", "409 TwoFactorAuthAlreadyResolved",
      "400 TwoFactorAuthExpired", "409 TwoFactorAuthAlreadyResolved",
    ],
    .deny: [
      "204", "409 TwoFactorAuthAlreadyResolved", "204", "400 TwoFactorAuthExpired",
      "409 TwoFactorAuthAlreadyResolved",
    ],
    .retry: [
      "200", "409 TwoFactorAuthAlreadyResolved", "409 TwoFactorAuthAlreadyResolved",
      "400 TwoFactorAuthExpired", "409 TwoFactorAuthAlreadyResolved",
    ],
    .finish: [
      "400 TwoFactorAuthPending", "200", "400 TwoFactorAuthDenied", "400 TwoFactorAuthExpired",
      "409 TwoFactorAuthAlreadyFinished",
    ],
    .fetch: ["200", "200", "200", "200", "200"],
  ]

  /// What a client without an SDK reads after the action.
  private static let after: [Action: [String]] = [
    .approve: ["approved", "approved", "denied", "expired", "approved"],
    .deny: ["denied", "approved", "denied", "expired", "approved"],
    .retry: ["pending", "approved", "denied", "expired", "approved"],
    .finish: ["pending", "approved", "denied", "expired", "approved"],
    .fetch: ["pending", "approved", "denied", "expired", "approved"],
  ]

  @Test("each action in each state", arguments: Action.allCases, Start.allCases)
  private func cell(action: Action, start: Start) throws {
    let world = try HyphenWorld()
    let old = try world.signUp(Phone("old"))
    let other = try world.add(Phone("other"), approvedBy: old)
    let request = try world.request(Phone("new"))
    let asked = try destination(of: request, in: world)
    let (destination, idle) = asked == "old" ? (old, "other") : (other, "old")
    let retry = try id(ofDevice: idle, for: old, in: world)
    switch start {
    case .pending: break
    case .approved: _ = try world.approve(request.id, token: destination.accessToken)
    case .denied:
      _ = try world.call(.delete, "/device/v1/2fa/\(request.id)", token: destination.accessToken)
    case .expired: try world.advance("300s")
    case .finished:
      _ = try world.approve(request.id, token: destination.accessToken)
      _ = try world.finish(request)
    }

    let exchange =
      switch action {
      case .approve: try world.approve(request.id, token: destination.accessToken)
      case .deny:
        try world.call(.delete, "/device/v1/2fa/\(request.id)", token: destination.accessToken)
      case .retry:
        try world.call(
          .put, "/device/v1/2fa/\(request.id)", #"{"destDeviceId":"\#(retry)"}"#, token: request.token)
      case .finish: try world.finish(request)
      case .fetch: try world.call(.get, "/device/v1/2fa/\(request.id)", token: request.token)
      }

    let column = try #require(Start.allCases.firstIndex(of: start))
    let expected = try #require(Self.matrix[action]?[column])
    let found = expected.contains(" ") ? try world.error(exchange) : String(exchange.answer.prefix(3))
    #expect(found == expected)
    let shown = try world.fields(
      of: world.call(.get, "/device/v1/2fa/\(request.id)", token: request.token, platform: nil))
    #expect(try shown.object("twoFactorAuth").string("status") == Self.after[action]?[column])
  }

  private func destination(of request: Pending, in world: HyphenWorld) throws -> String {
    let answer = try world.call(.get, "/device/v1/2fa/\(request.id)", token: request.token)
    return try world.fields(of: answer).object("twoFactorAuth").object("request").object("destDevice")
      .string("name")
  }

  private func id(ofDevice name: String, for phone: SignedIn, in world: HyphenWorld) throws -> String {
    let answer = try world.fields(of: world.call(.get, "/device/v1/devices", token: phone.accessToken))
    let device = try answer.objects("devices").first { try $0.string("name") == name }
    return try #require(device).string("id")
  }
}

@Suite("Hyphen · rules", .contract("hyphen.md 1"))
struct HyphenRuleTests {
  @Test("an open sandbox gives unknown secrets an app of their own, unless the profile is strict")
  func unknownSecrets() throws {
    let open = try HyphenWorld(isOpen: true)
    let strict = try HyphenWorld(isOpen: true, #"{"profile":"strict"}"#)
    let phone = Phone("new").request("nobody@example.test")

    #expect(
      try open.error(open.call(.post, "/auth/v1/signin/2fa", phone, secret: "any")) == "400 PleaseSignUp")
    #expect(
      try strict.error(strict.call(.post, "/auth/v1/signin/2fa", phone, secret: "any"))
        == "401 InvalidAppSecret")
  }

  @Test("the main network is that of its host")
  func networks() throws {
    let world = try HyphenWorld()
    _ = try world.signUp(Phone("old"))

    let answer = try world.call(
      .post, "/auth/v1/signin/2fa", Phone("new").request(HyphenWorld.user), host: "api.hyphen.at")

    #expect(try world.error(answer) == "400 PleaseDeploy")
  }

  @Test(
    "a bad body is named by its field", .contract("hyphen.md 6"),
    arguments: [
      ("{}", "method"), (#"{"method":"firebase","token":"sbx-user:a@b.test"}"#, "userKey"),
      (#"{"method":"google","token":"sbx-user:a@b.test"}"#, "method"),
      (#"{"method":"firebase","token":7}"#, "token"),
      (#"{"method":"firebase","token":"sbx-user:a@b.test","chainName":"eth","userKey":{}}"#, "chainName"),
      (#"{"method":"firebase","token":"sbx-user:a@b.test","userKey":{"type":"device"}}"#, "userKey.device"),
      (
        #"{"method":"firebase","token":"sbx-user:a@b.test","userKey":{"type":"passkey"}}"#,
        "userKey.publicKey"
      ),
      (
        #"{"method":"firebase","token":"sbx-user:a@b.test","userKey":{"type":"wallet","publicKey":"\#(String(repeating: "a", count: 64))"}}"#,
        "userKey.wallet"
      ),
      ("[]", "body"), ("{", "body"),
    ])
  func fields(body: String, field: String) throws {
    let world = try HyphenWorld()

    let answer = try world.call(.post, "/auth/v1/signup", body)

    #expect(try world.error(answer) == "400 InvalidRequest")
    #expect(try world.fields(of: answer).string("field") == field)
  }

  @Test("a preferred device is asked first", .contract("hyphen.md 6"))
  func preferred() throws {
    let world = try HyphenWorld()
    try world.seed(
      #"""
      {"accounts":[{"email":"p@example.test","devices":[{"pushToken":"sbx-1","name":"newest"},
        {"pushToken":"sbx-2","name":"preferred","preferred":true,"lastUsedAt":"2020-01-01T00:00:00Z"}]}]}
      """#)

    let answer = try world.fields(of: world.ask(Phone("new"), user: "p@example.test"))

    #expect(
      try answer.object("twoFactorAuth").object("request").object("destDevice").string("name") == "preferred")
  }

  @Test("a seeded location is that of its address", .contract("hyphen.md 4.2"))
  func location() throws {
    let world = try HyphenWorld()
    try world.seed(#"{"locations":[{"ip":"127.0.0.1","location":"Lyon, France"}]}"#)

    let answer = try world.fields(of: world.ask(Phone("new"), user: "ines@example.test"))

    let signIn = try answer.object("twoFactorAuth").object("request").object("userOpInfo").object("signIn")
    #expect(try signIn.string("location") == "Lyon, France")
  }
}
