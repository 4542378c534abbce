import ArgumentParser

/// The token that a command sends to a server.
struct AdminTokenOption: ParsableArguments {
  @Option(
    help:
      "The server's admin token, or a sandbox's token. Default: RINGFENCE_TOKEN, else RINGFENCE_ADMIN_TOKEN.")
  var adminToken: String?

  var value: String? { adminToken ?? Environment["RINGFENCE_TOKEN"] ?? Environment["RINGFENCE_ADMIN_TOKEN"] }
}
