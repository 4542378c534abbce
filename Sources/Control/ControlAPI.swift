/// Our own endpoints under `/control/`, for tests and people.
package struct ControlAPI {
  /// The owner's name in the router.
  package static let name = "control"

  let sandboxes: Sandboxes
  /// Shared by the event streams.
  let batches = EventBatches()
  let metrics: Metrics
  /// How handsets reach routes within the process.
  let transport: InProcessTransport
  /// Nil if no token is required.
  let tokens: AccessTokens?
  /// The files by which phones trust the server's certificates; nil if it has none.
  let authority: (() throws -> AuthorityFiles)?
  /// Makes the report of a sandbox, as HTML in pieces.
  let report: (Sandbox) throws -> BodyPieces
  /// Makes the file about a verification, by its ordinal; nil if there is none.
  let share: (Request, Sandbox, Int) throws -> SharedFile?
  let openAPICache = OpenAPICache()

  package init(
    _ sandboxes: Sandboxes, metrics: Metrics, transport: InProcessTransport, tokens: AccessTokens? = nil,
    authority: (() throws -> AuthorityFiles)? = nil,
    share: @escaping (Request, Sandbox, Int) throws -> SharedFile? = { _, _, _ in nil },
    report: @escaping (Sandbox) throws -> BodyPieces
  ) {
    self.sandboxes = sandboxes
    self.metrics = metrics
    self.transport = transport
    self.tokens = tokens
    self.authority = authority
    (self.share, self.report) = (share, report)
  }

  /// The control API as the router sees it.
  package var owner: RouteOwner<Sandbox> {
    RouteOwner(
      name: Self.name, routes: operations.map(\.strictRoute), isOwn: true,
      errorResponse: { failure, request, _ in Self.errorResponse(for: failure, to: request) })
  }

  /// Every operation: the API's table of contents, and the source of `/control/openapi.json`. Each folder has
  /// its table, such as `DeviceOperations.swift`.
  package var operations: [Operation] {
    sandboxOperations + networkOperations + deviceOperations + phoneOperations + messageOperations
      + ruleOperations + errorOperations + failureOperations + chaosOperations + workshopOperations
      + journalOperations + requestOperations + docsOperations + healthOperations
  }

  private var healthOperations: [Operation] {
    [
      Operation(
        .get("/control/openapi.json", as: "fetchOpenAPI", openAPI), access: .participant,
        "Get this description.", query: [Parameter.operation.member], .anyJSON),
      Operation(
        .ofServer("/livez", as: "livez") { _ in .text(200, "ok\n") }, access: .open,
        "Check that the process runs.", .text),
      Operation(
        .ofServer("/readyz", as: "readyz", ready), access: .open, "Check that the database answers.", .text),
      Operation(
        .get("/metrics", as: "metrics", prometheus), access: .admin, "Get counts for Prometheus.", .text),
    ]
  }
}
