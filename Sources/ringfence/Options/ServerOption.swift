import ArgumentParser
import Domain

/// The server and the sandbox that a command talks to.
struct ServerOption: ParsableArguments {
  @Option(help: "The server's address. Default: RINGFENCE_URL, else http://127.0.0.1:5550.")
  var url: String?
  @Option(
    help: "The sandbox. Default: the one that the URL selects by /s/NAME, else the default one.",
    transform: SandboxName.text)
  var sandbox: String?
  @OptionGroup var token: AdminTokenOption

  var client: ControlClient {
    get throws { try ControlClient(url ?? ControlClient.defaultURL, token: token, sandbox: sandbox) }
  }
}
