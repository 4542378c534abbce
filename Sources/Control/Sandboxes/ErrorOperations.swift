/// The errors of providers, and how to produce each.
extension ControlAPI {
  var errorOperations: [Operation] {
    [
      Operation(
        .deferred(.get, "/control/errors", as: "listErrors", listErrors), access: .participant, secret: true,
        "List the errors of providers, with commands that produce each.",
        query: [Parameter.provider, Parameter.code].map(\.member), .json(Self.errorList))
    ]
  }

  /// Of all providers, or those of the query.
  private func listErrors(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let (provider, code) = try (
      Parameter.provider.value(in: request.query), Parameter.code.value(in: request.query)
    )
    let path = sandbox.name == Sandboxes.defaultName ? "" : "/s/\(sandbox.name)"
    let errors = try sandboxes.seeds.documentedErrors(
      of: provider, code: code, in: sandbox, at: request.origin + path)
    return .streamed(
      .json(200, []),
      BodyPieces(list: "errors") {
        try errors().map { Array($0.map(ErrorPage.schema.encode).joined(separator: [UInt8(ascii: ",")])) }
      })
  }

  package static let errorList = Schema<[ErrorPage]>.list("errors", ErrorPage.schema, "The errors.")
}

extension ErrorPage {
  fileprivate static let schema = Schema<ErrorPage>(
    "ProviderError", "An error of a provider, and how to produce it.",
    [
      .readOnly("provider", .string, "The provider.") { $0.error.provider },
      .readOnly("code", .string, "The provider's code, as faults name it.") { $0.error.row.code },
      .readOnly("status", .integer, "The status of the answer.") { $0.error.row.status },
      .readOnly("text", .string, "The provider's text; empty if it is not documented.") { $0.error.row.text },
      .readOnlyIfPresent("format", .string, "Which of the provider's formats has the error.") {
        $0.error.row.format
      },
      .readOnly(
        "routes", .array(of: .string), "The names of the routes that can answer it; all: every route."
      ) { $0.error.routes },
      .readOnly("explanation", .string, "How it is produced; empty if the commands say it all.") {
        $0.error.explanation
      },
      .readOnlyIfPresent(
        "commands", .string,
        "Commands for a shell that produce it in this sandbox, or, if only a fault can, the one that sets the fault. "
          + "Absent if a request has to be signed by a device."
      ) { $0.commands },
      .readOnly("onlyByFault", .boolean, "True if no request gets it without an injected fault.") {
        $0.error.isOnlyByFault
      },
      .readOnlyIfPresent(
        "check", .string, "The numbered check of the contract about it, or a conformance test."
      ) { $0.error.check },
    ])
}
