import ArgumentParser
import Domain
import HTTP
import JSON

/// `ringfence status`
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show whether a server answers, the time there, and what is broken on purpose.",
    discussion: "With no answer, the exit status is 1.")

  @OptionGroup(title: "Server") var server: ServerOption

  func run() throws {
    let (client, name, path) = try server.target()
    let own = try server.client
    let view = try client.get(path)
    let clock = try view.object("clock")
    var rules: [JSON.Member] = []
    for kind in RuleKinds.all {
      let list = RuleList(own, path: kind.controlPath, name: kind.listName)
      rules.append(.init(name: kind.listName, value: .integer(Int64(try list.rules().count))))
    }
    let answer: JSON = .object([
      .init("url", client.server.origin), .init("sandbox", name),
      .init(name: "clock", value: try view.json("clock")),
      .init(name: "rules", value: .object(rules)),
    ])
    try server.show(answer) { _ in
      let on = rules.filter { $0.value != .integer(0) }.map {
        "\($0.name) \(String(decoding: $0.value.encoded(), as: UTF8.self))"
      }
      return [
        "\(client.server.origin) answers.",
        "sandbox \(name): \(try clock.string("now").asTime) (\(try clock.string("mode")))",
        on.isEmpty ? "Nothing is broken on purpose." : "Broken on purpose: \(on.joined(separator: ", ")).",
      ]
    }
  }
}
