import ArgumentParser
import Catalog
import HTTP
import JSON
import ProviderKit

/// `ringfence send NUMBER`
struct SendCommand: ParsableCommand {
  private static let names = catalog.filter { $0.testCode != nil }.map { $0.name }

  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Let a provider send a code to a number, by the request of an app.",
    discussion: "A quick try without an app. Prints the code.")

  @Argument(help: "The phone number.") var number: String
  @Option(help: "The provider: \(names.joined(separator: ", ")).", completion: .list(names))
  var provider = names[0]
  @OptionGroup(title: "Server") var server: ServerOption

  func run() throws {
    let client = try server.client
    let order = JSON.Member.given(["provider": provider, "number": number])
    let exchange = try client.post("/control/test-codes", .object(order))
    let status = try Fields(exchange).object("response").int("status")
    guard (200...299).contains(status) else {
      let why = try Fields(exchange).optionalString("why") ?? "ringfence journal latest"
      throw CommandFailure("\(provider) answered with \(status): \(why)")
    }
    let found = try client.getJSON(
      "/control/inbox/\(PercentCoding.encode(number))/code?\(query([("provider", provider)]))")
    try server.show(found) { [try $0.optionalString("code") ?? $0.string("why")] }
  }
}
