import ProviderKit

extension VonageProvider {
  /// Their paths are short, so they are limited to the provider's hosts. Source: `senders.md` 6.
  static var messagesRoutes: [Route<Sandbox>] {
    let routes: [Route<Sandbox>] = [
      .post("/v1/messages", as: "sendMessage", messages(sendMessage)),
      .on(.patch, "/v1/messages/{message_uuid}", as: "updateMessage", messages(updateMessage)),
      .notEmulated(.post, "/v0.1/messages", as: "sendMessageV01"),
    ]
    return routes.map { $0.hostBound }
  }
}

/// The handler of an operation: authenticates the caller, and completes errors.
private func messages(_ operation: @escaping (RequestContext) throws -> Response) -> RequestHandler {
  { request, sandbox in
    let id = UUIDText.version4(sandbox.requestIdentifier("vonage messages request"))
    do {
      let context = RequestContext(
        request: request, sandbox: sandbox, settings: try Settings.current(in: sandbox),
        caller: try caller(of: request, in: sandbox))
      var response = try operation(context)
      response.headers.add("X-Request-Id", id)
      return response
    } catch let error as MessagesError {
      throw error.completed(requestID: id, in: sandbox)
    }
  }
}

private func caller(of request: Request, in sandbox: Sandbox) throws -> Caller {
  do {
    return try Caller(of: request, by: [.basic, .token], in: sandbox)
  } catch let error as APIError {
    throw MessagesError(.unauthorized).because(error.why ?? error.detail)
  }
}
