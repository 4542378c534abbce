import ArgumentParser

/// The token that a command sends to a server.
struct AdminTokenOption: ParsableArguments {
  @Option(help: "The server's admin token, or a sandbox's token. Default: RINGFENCE_ADMIN_TOKEN.")
  var adminToken: String?

  var value: String? { adminToken ?? Environment["RINGFENCE_ADMIN_TOKEN"] }
}
