import ArgumentParser
import Domain
import HTTP
import JSON

/// The server and the sandbox that a command talks to, and how it prints the answer.
struct ServerOption: ParsableArguments {
  @Option(help: "The server's address. Default: RINGFENCE_URL, else http://127.0.0.1:5550.")
  var url: String?
  @Option(
    help: "The sandbox. Default: the one that the URL selects by /s/NAME, else the default one.",
    transform: SandboxName.text)
  var sandbox: String?
  @OptionGroup var token: AdminTokenOption
  @Flag(help: "Print the answer as JSON.")
  var json = false

  /// True if the command shall ask a server also for what the program knows itself.
  var isGiven: Bool { (sandbox ?? url) != nil }

  var client: ControlClient {
    get throws { try ControlClient(url ?? ControlClient.defaultURL, token: token, sandbox: sandbox) }
  }

  /// A client of the whole server, and the path of a sandbox, which may be named by an argument too.
  func target(_ argument: String? = nil) throws -> (client: ControlClient, name: String, path: String) {
    if let argument, let sandbox, argument != sandbox {
      throw ValidationError("--sandbox: expected \(argument), as the argument says; found \(sandbox)")
    }
    let client = try ControlClient(url ?? ControlClient.defaultURL, token: token)
    let name = argument ?? sandbox ?? client.sandboxName ?? Sandboxes.defaultName
    return (client, name, "/control/sandboxes/\(name)")
  }

  /// Prints an answer: all of it as JSON, or what matters in lines.
  func show(_ answer: JSON, _ lines: (Fields) throws -> [String]) throws {
    if json { Output.json(answer) } else { Output.lines(try lines(Fields(answer))) }
  }

  /// Says that something was done whose answer has no content.
  func show(_ sentence: String) {
    if json { Output.json(.object([])) } else { Output.line(sentence) }
  }
}
