import ArgumentParser
import JSON

/// `ringfence inbox [NUMBER]`: what handsets show.
struct InboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox", abstract: "Show the messages that were sent.")

  @Argument(help: "Only those to this number or address.")
  var number: String?
  @Flag(help: "Go on showing new ones as they come.")
  var follow = false
  @Option(help: "Where the server listens.")
  var url = ControlClient.usualURL

  func run() throws {
    let client = try ControlClient(url)
    let path = "/control/inbox" + (number.map { "/" + $0 } ?? "")
    var cursor = 0
    repeat {
      let answer = try client.get("\(path)?after=\(cursor)&wait=\(follow && cursor > 0 ? 30 : 0)")
      for message in try answer.objects("messages") {
        let to = try message.string("to")
        print(
          "\(try message.string("submittedAt"))  \(try message.string("channel")) to \(to): \(try message.string("text"))"
        )
      }
      cursor = max(1, try answer.int("cursor"))
    } while follow
  }
}
