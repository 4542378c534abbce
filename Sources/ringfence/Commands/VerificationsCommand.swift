import ArgumentParser
import JSON

/// `ringfence verifications [NUMBER]`
struct VerificationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verifications", abstract: "List the verifications with their codes and states.")

  @Argument(help: "Only verifications of this phone number or email address.") var number: String?
  @Option(help: "Only verifications by this provider.", completion: .providers) var provider: String?
  @OptionGroup(title: "Server") var server: ServerOption

  func run() throws {
    let filter = query([("number", number), ("provider", provider)])
    let found = try server.client.entries("verifications", of: "/control/verifications?\(filter)")
    try server.show(.object([.init(name: "verifications", value: .array(found))])) { _ in
      guard !found.isEmpty else { return ["There are no verifications."] }
      var table = Table(["TO", "PROVIDER", "STATE", "CODE", "CHECKS", "STARTED"])
      for each in try found.map({ try Fields($0) }) {
        table.add([
          try each.string("to"), try each.string("provider"), try each.string("state"),
          try each.optionalString("code") ?? "-", String(try each.int("checks")),
          try each.string("createdAt").asTime,
        ])
      }
      return table.lines()
    }
  }
}
