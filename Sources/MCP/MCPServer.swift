package import Control
package import ProviderKit

/// The control API for coding agents, as tools and resources of the Model Context Protocol.
///
/// ```
/// POST /mcp ──> access rules ──> messages ──> tool ──> /control/… in this process, with the agent's token
///                                   └───────> resource ──┘
/// ```
/// The server keeps no sessions: each request is complete in itself. So it has nothing to send on its own,
/// and answers GET and DELETE with 405, as the protocol allows.
package struct MCPServer {
  /// The owner's name in the router.
  package static let name = "mcp"
  package static let path = "/mcp"

  private let control: ControlAPI
  private let sandboxes: Sandboxes
  private let transport: InProcessTransport
  private let tools: Lazy<ToolTable, Never>
  private let resources: Lazy<ResourceTable, Never>
  private let version: String

  /// `version` is the program's.
  package init(
    _ control: ControlAPI, _ sandboxes: Sandboxes, transport: InProcessTransport,
    providers: [any Provider.Type], version: String
  ) {
    self.control = control
    self.sandboxes = sandboxes
    self.transport = transport
    self.version = version
    tools = Lazy { ToolTable(control.operations, sandboxes, providers: providers) }
    resources = Lazy { ResourceTable(providers: providers) }
  }

  /// The route as the router sees it.
  package var owner: RouteOwner<Sandbox> {
    RouteOwner(
      name: Self.name,
      routes: [
        .deferred(
          .post, "/mcp", as: AccessRules.routeForAgents, bodyLimit: MessageLimits.bytes, respond
        )
        .open(to: .participant)
      ], isOwn: true,
      errorResponse: { failure, request, _ in ControlAPI.errorResponse(for: failure, to: request) })
  }

  // MARK: Messages

  private func respond(_ request: Request, _ sandbox: Sandbox) -> Reply {
    let calls = ControlCalls(transport, for: request, in: sandbox.name)
    do throws(RPCError) {
      let version = try Self.version(of: request)
      let document = try Self.document(request.body)
      guard case .array(let items) = document else {
        return answer(to: Message(document), calls) ?? .now(Response(202))
      }
      try Self.requireBatch(items, version)
      return answer(toBatch: items.map { Message(inBatch: $0) }, calls)
    } catch {
      return .now(.json(400, error.encoded(id: .null)))
    }
  }

  private static func version(of request: Request) throws(RPCError) -> ProtocolVersion {
    guard let name = request.headers["MCP-Protocol-Version"] else { return .undeclared }
    guard let version = ProtocolVersion(rawValue: name) else {
      let known = ProtocolVersion.allCases.map(\.rawValue)
      throw RPCError(
        .invalidParams,
        "\(ProtocolVersion.header): expected one of \(known.joined(separator: ", ")); found \(name)",
        data: .object([
          .init(name: "supported", value: .array(known.map { .string($0) })), .init("requested", name),
        ]))
    }
    return version
  }

  private static func document(_ bytes: [UInt8]) throws(RPCError) -> JSON {
    do throws(SyntaxError) {
      return try JSON(parsing: bytes, limits: MessageLimits.json)
    } catch {
      throw RPCError(.parseError, "the message is not JSON: \(error.description)")
    }
  }

  private static func requireBatch(_ items: [JSON], _ version: ProtocolVersion) throws(RPCError) {
    guard version.hasBatches else {
      throw .invalidRequest("batches are not part of version \(version.rawValue); send one message at a time")
    }
    guard 1...MessageLimits.batch ~= items.count else {
      throw .invalidRequest("a batch: expected 1 to \(MessageLimits.batch) messages; found \(items.count)")
    }
  }

  /// Answers one message after the other, between other requests.
  private func answer(toBatch messages: [Message], _ calls: ControlCalls) -> Reply {
    let batch = Batch()
    var steps = Steps()
    for message in messages { steps.add { answer(to: message, calls).map(batch.add) } }
    return control.reply(after: sandboxes.start(steps), reply: { batch.reply })
  }

  /// Nil for a message that gets no answer.
  private func answer(to message: Message, _ calls: ControlCalls) -> Reply? {
    switch message {
    case .notification, .response: return nil
    case .invalid(let id, let error): return .now(.json(400, error.encoded(id: id)))
    case .request(let id, let method, let params):
      do throws(RPCError) {
        return try result(of: method, params, calls).map { $0.answering(id) }
      } catch {
        return .now(.json(200, error.encoded(id: id)))
      }
    }
  }

  /// The reply's response has the result as its body.
  private func result(of method: String, _ params: Fields, _ calls: ControlCalls) throws(RPCError) -> Reply {
    switch method {
    case "initialize": .now(try initialize(params))
    case "ping": .now(.json(200) { _ in })
    case "tools/list": .now(try list("tools", tools().listing, params))
    case "tools/call": try tools().call(params, calls)
    case "resources/list": .now(try list("resources", resources().listing, params))
    case "resources/templates/list": .now(try list("resourceTemplates", resources().templates, params))
    case "resources/read": try resources().read(params, calls)
    default: throw Self.unknown(method)
    }
  }

  private static let methods = [
    "initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list",
    "resources/read",
  ]

  private static func unknown(_ method: String) -> RPCError {
    let meant = methods.nearest(to: method).map { "; did you mean \($0)?" } ?? ""
    return RPCError(.methodNotFound, "unknown method \(method)\(meant)")
  }

  /// Lists are in one page.
  private func list(_ name: String, _ entries: [[UInt8]], _ params: Fields) throws(RPCError) -> Response {
    guard !params.has("cursor") else {
      throw RPCError(.invalidParams, "params.cursor: expected none, because lists are in one page")
    }
    return .json(200) { $0.array(named: name, entries) { $0.value(encoded: $1) } }
  }

  private func initialize(_ params: Fields) throws(RPCError) -> Response {
    let wanted = try RPCError.reading { () throws(FieldError) in try params.string("protocolVersion") }
    let agreed = ProtocolVersion(rawValue: wanted) ?? .latest
    var response = Response.json(200) { json in
      json.member("protocolVersion", agreed.rawValue)
      json.object("capabilities") { json in
        json.object("tools") { _ in }
        json.object("resources") { _ in }
      }
      json.object("serverInfo") { json in
        json.member("name", "ringfence")
        json.member("title", "Ringfence, a sandbox for phone verification")
        json.member("version", version)
      }
      json.member("instructions", Self.instructions)
    }
    // For the bridge from stdio, which sends it with all further messages.
    response.headers.add(ProtocolVersion.header, agreed.rawValue)
    return response
  }

  private static let instructions = """
    Ringfence emulates providers of phone verification and the mobile network on this machine: nothing is sent to \
    real phones. Begin with show_sandbox: with a provider it has base URL, credentials, environment variables and an \
    example request. Point the app at these instead of the provider. Then send requests from the app, \
    read what phones got with get_code and list_messages, and call explain_request whenever an answer is not what \
    you expect. read_guide has the documentation. If the answer of a list has hasMore true, call the tool again with its cursor as \
    after. Use fail and repair to test what the app does when something goes wrong, and advance_clock instead \
    of waiting.
    """
}

extension Message {
  /// A message of a batch, which may not be that which comes first.
  fileprivate init(inBatch json: JSON) {
    self.init(json)
    guard case .request(let id, "initialize", _) = self else { return }
    self = .invalid(id: id, .invalidRequest("initialize cannot be part of a batch"))
  }
}

extension Response {
  /// The same result, or error, as the answer to a request.
  fileprivate func answering(_ id: JSON) -> Response {
    var response = Response.json(200) { json in
      json.member("jsonrpc", "2.0")
      json.member("id", id)
      json.member(named: isSuccess ? "result" : "error", encoded: body)
    }
    for value in headers.values("MCP-Protocol-Version") {
      response.headers.add(ProtocolVersion.header, value)
    }
    return response
  }
}
