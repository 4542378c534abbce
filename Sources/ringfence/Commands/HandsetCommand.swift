import ArgumentParser
import HTTP
import JSON
import QRCode

/// `ringfence handset …`
struct HandsetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handset", abstract: "Use virtual handsets: phones whose apps hold real keys.",
    discussion: """
      A handset has a phone number and apps of any provider. An app registers and answers by the provider's public \
      requests, as the provider's mobile SDK does. Where a command takes ID, it is a phone number, a device's id, the \
      provider's id of a challenge, or latest.
      """,
    subcommands: [
      List.self, Create.self, Change.self, Approve.self, Deny.self, Watch.self, QR.self,
    ])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the handsets with their apps.")
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let handsets = try server.client.entries("devices", of: "/control/devices?")
      if handsets.isEmpty { Output.errorLine("there are no handsets") }
      try server.show(.object([.init(name: "devices", value: .array(handsets))])) { _ in
        try handsets.map { try Fields($0) }.flatMap { handset in
          let (id, apps) = (try handset.string("id"), try handset.objects("apps"))
          return apps.isEmpty
            ? ["\(id)  no apps"] : [id] + (try apps.map { "  \(try HandsetCommand.line(of: $0))" })
        }
      }
    }
  }

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create a handset, and register an app on it.",
      discussion: """
        Without --provider, the number gets a handset without apps. If the provider refuses the app, the command \
        prints its answer and exits with status 1.
        """)
    @Argument(help: "The phone number, such as +12025550100.") var number: String
    @Option(help: "The provider that the app registers with, such as twilio.", completion: .providers)
    var provider: String?
    @Option(help: "The app's name. Default: com.example.app:1.0.0.") var app: String?
    @Option(help: "android or ios. Default: android.", completion: .list(["android", "ios"])) var platform:
      String?
    @Option(help: "The push token. Default: generated.") var pushToken: String?
    @Option(help: "The person's id at the provider. Default: made from the number.") var identity: String?
    @OptionGroup var state: State
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let members = [
        ("number", number), ("provider", provider), ("app", app), ("platform", platform),
        ("pushToken", pushToken), ("identity", identity),
      ].compactMap { name, value in value.map { JSON.Member(name: name, value: .string($0)) } }
      let made = try server.client.post("/control/devices", .object(members + state.members))
      try server.show(made) { made in
        [provider == nil ? try made.string("id") : try HandsetCommand.line(of: made)]
      }
    }
  }

  /// What the person does, and what is wrong with the handset.
  struct State: ParsableArguments {
    @Option(
      help: "The person's answer to challenges: approve, deny, ignore, or manual, which waits for you.",
      completion: .list(["approve", "deny", "ignore", "manual"]))
    var behaviour: String?
    @Option(help: "Milliseconds that the person needs to answer.")
    var answerAfterMs: Int?
    @Option(
      help: "ready, locked, batteryEmpty, biometricsFailed or appDeleted.",
      completion: .list(["ready", "locked", "batteryEmpty", "biometricsFailed", "appDeleted"]))
    var condition: String?
    @Option(help: "Seconds that the handset's clock is ahead.")
    var clockOffsetSeconds: Int?
    @Flag(inversion: .prefixedNo, help: "Connect the handset, or disconnect it.")
    var online: Bool?

    var members: [JSON.Member] {
      [
        behaviour.map { JSON.Member(name: "behaviour", value: .string($0)) },
        answerAfterMs.map { JSON.Member(name: "answerAfterMs", value: .integer(Int64($0))) },
        condition.map { JSON.Member(name: "condition", value: .string($0)) },
        clockOffsetSeconds.map { JSON.Member(name: "clockOffsetSeconds", value: .integer(Int64($0))) },
        online.map { JSON.Member(name: "online", value: .bool($0)) },
      ].compactMap(\.self)
    }
  }

  struct Change: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change what the person does, or the state of a handset.")
    @Argument(help: "The phone number for all apps on the handset, a device's id, or latest.") var id: String
    @OptionGroup var state: State
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      guard !state.members.isEmpty else {
        throw ValidationError("name a change, such as --behaviour approve or --condition locked")
      }
      let path = "/control/devices/\(PercentCoding.encode(id))"
      let changed = try server.client.put(path, JSON.object(state.members).encoded())
      try server.show(changed) { changed in
        try (changed.optionalObjects("apps") ?? [changed]).map { try HandsetCommand.line(of: $0) }
      }
    }
  }

  struct Approve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Approve the newest challenge on a handset.")
    @Argument(help: "A phone number, a device's id, a challenge's id, or latest.") var id = "latest"
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws { try HandsetCommand.answer("approve", id, server) }
  }

  struct Deny: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Deny the newest challenge on a handset.")
    @Argument(help: "A phone number, a device's id, a challenge's id, or latest.") var id = "latest"
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws { try HandsetCommand.answer("deny", id, server) }
  }

  struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show pushes as they come.",
      discussion: "Runs until you press Control-C.")
    @Argument(help: "Only pushes to this phone number.") var number: String?
    @Flag(help: "Show the pushes so far, and exit.") var once = false
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let client = try server.client
      let filter = query([("number", number)])
      if once {
        let pushes = try client.entries("pushes", of: "/control/pushes?\(filter)")
        if pushes.isEmpty { reportEmptiness() }
        return try server.show(.object([.init(name: "pushes", value: .array(pushes))])) { _ in
          try pushes.map { try HandsetCommand.line(ofPush: Fields($0)) }
        }
      }
      try FollowedList(path: "/control/pushes", name: "pushes", filter).follow(client) { pushes, _ in
        if server.json { return pushes.forEach(Output.json) }
        if pushes.isEmpty { reportEmptiness() }
        Output.lines(try pushes.map { try HandsetCommand.line(ofPush: Fields($0)) })
      }
    }

    private func reportEmptiness() {
      Output.errorLine("there are no pushes\(number.map { " to \($0)" } ?? "") yet")
    }
  }

  struct QR: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a QR code with which an app on a real phone registers here.",
      discussion: "What the code contains, and how a phone reaches the server: ringfence docs realphones.")
    @Option(help: "The provider of the app's mobile SDK, such as twilio.", completion: .providers)
    var provider: String
    @Option(help: "The phone's number.") var number: String?
    @Option(help: "The person's id at the provider. Default: made from the number.") var identity: String?
    @Flag(help: "Print the content instead of the code.") var text = false
    @OptionGroup(title: "Server") var server: ServerOption

    func run() throws {
      let query = query([("provider", provider), ("number", number), ("identity", identity)])
      let setup = try server.client.getBytes("/control/phone/setup?\(query)")
      let content = String(decoding: setup, as: UTF8.self)
      if let url = AbsoluteURL(try Fields(setup).string("url")),
        HTTP.Authority(host: url.host, port: url.port).isLoopback
      {
        Output.errorLine(
          "! A phone cannot reach \(url.host). Start the server with --http 0.0.0.0:5550 --public-url "
            + "http://ADDRESS:5550, with this machine's address in your network.")
      }
      if text || server.json { return Output.line(content) }
      guard let code = QRCode(content) else {
        throw ValidationError("the content is too long for a QR code; use --text")
      }
      Output.bytes(Array(code.terminalText.utf8))
    }
  }

  private static func answer(_ action: String, _ id: String, _ server: ServerOption) throws {
    let path = "/control/devices/\(PercentCoding.encode(id))/\(action)"
    try server.show(server.client.post(path, .object([]))) { challenge in
      [
        "\(try challenge.string("state"))  \(try challenge.string("provider")) "
          + "\(try challenge.string("reference")) of \(try challenge.string("number"))"
      ]
    }
  }

  private static func line(of app: Fields) throws -> String {
    var words = [
      try app.string("id"), try app.string("provider"), try app.string("app"), try app.string("platform"),
      try app.string("condition"),
    ]
    if try !app.bool("online") { words.append("offline") }
    if let behaviour = try app.optionalString("behaviour") { words.append("answers: \(behaviour)") }
    if let token = try app.optionalString("pushToken") { words.append("token \(token)") }
    return words.joined(separator: "  ")
  }

  private static func line(ofPush push: Fields) throws -> String {
    let holder = try push.optionalString("number") ?? push.string("to")
    let state = try push.optionalString("state") ?? push.string("status")
    return "\(try push.string("acceptedAt"))  \(try push.string("provider")) to \(holder), \(state): "
      + "\(try push.string("text"))  \(try push.string("reference"))"
  }
}
