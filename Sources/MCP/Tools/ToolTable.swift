import Control
import ProviderKit

struct ToolTable {
  private let tools: [Tool]
  /// The entries of `tools/list`.
  let listing: [[UInt8]]

  init(_ operations: [Operation], _ sandboxes: Sandboxes, providers: [any Provider.Type]) {
    let maker = ToolMaker(
      operations, providers: providers.map { $0.name },
      senders: providers.filter { $0.testCode != nil }.map { $0.name })
    tools =
      SandboxTools(sandboxes, providers, maker).all + maker.phoneTools + maker.requestTools(sandboxes)
      + FailureTools(maker).all + maker.guideTools(providers, sandboxes)
    listing = tools.map(\.listing)
  }

  /// Calls a tool. What goes wrong in it is a result, which the agent reads and can act on.
  func call(_ params: Fields, _ calls: ControlCalls) throws(RPCError) -> Reply {
    let (tool, arguments) = try RPCError.reading { () throws(FieldError) in
      (
        try self.tool(named: params.string("name")),
        try Fields(params.optionalJSON("arguments") ?? .object([]))
      )
    }
    return reply(of: tool, arguments, calls).map { ToolResult($0.forAgents).response }
  }

  private func tool(named name: String) throws(FieldError) -> Tool {
    if let tool = tools.first(where: { $0.name == name }) { return tool }
    let meant = tools.map(\.name).nearest(to: name).map { "; did you mean \($0)?" } ?? ""
    throw .unknownName("params.name", "unknown tool \(name)\(meant)")
  }

  private func reply(of tool: Tool, _ arguments: Fields, _ calls: ControlCalls) -> Reply {
    do {
      // A misspelt name is the likely reason why another one is missing.
      if let error = arguments.unknownName(in: tool.input) { throw error }
      return try tool.action(arguments, calls.named(arguments.optionalString("sandbox")))
    } catch let refusal as CallRefusal {
      return .now(refusal.response)
    } catch {
      return .now(.text(400, "\(error)"))
    }
  }
}

/// The answer to `tools/call`.
struct ToolResult {
  let text: String
  /// What an agent should know besides a code.
  private let note: String?
  private let isError: Bool

  /// An error of the control API is its text alone, which says what was expected.
  init(_ response: Response) {
    isError = !response.isSuccess
    let response = isError ? response : AgentWords.response(response)
    let body = String(decoding: response.body.reversed().drop { $0 == 0x0A }.reversed(), as: UTF8.self)
    if isError {
      let problem = (try? JSON(parsing: response.body))?["error"]?.text
      text = AgentWords.text(problem ?? body).withoutMiddle
    } else {
      text = body.isEmpty ? "Done." : body
    }
    note = response.messageOfCode.map { message in
      let newer = message.newer.map {
        " There is a newer message, whose code this is not: \(AgentWords.text($0))."
      }
      return "It is the code of \(message.id).\(newer ?? "")"
    }
  }

  var response: Response {
    .json(200) { json in
      json.array("content", [text] + (note.map { [$0] } ?? [])) { json, text in
        json.value(object: { json in
          json.member("type", "text")
          json.member("text", text)
        })
      }
      json.member("isError", isError)
    }
  }
}

extension String {
  /// In bytes.
  private static let longestError = 800

  /// The same without most of a long list of what was expected; what was found is at the end.
  fileprivate var withoutMiddle: String {
    guard utf8.count > Self.longestError else { return self }
    return "\(prefix(500))… \(suffix(200))"
  }
}

/// Makes tools from the operations of the control API, so that both say the same about a member.
struct ToolMaker {
  private let operations: [String: Operation]
  let providers: [String]
  /// Those that can send a test code.
  let senders: [String]

  init(_ operations: [Operation], providers: [String], senders: [String]) {
    self.operations = Dictionary(operations.map { ($0.route.name, $0) }) { first, _ in first }
    self.providers = providers
    self.senders = senders
  }

  /// The provider's name, as one of those that there are.
  func provider(_ summary: String, _ presence: ObjectSchema.Presence = .optional) -> ObjectSchema.Member {
    .init("provider", .words(providers), summary, presence)
  }

  /// - Parameters:
  ///   - operation: its name.
  ///   - only: the members that the tool has, by the operation's names.
  ///   - names: the tool's names for some of them, with descriptions.
  ///   - more: members that the operation does not have, for `shorten`.
  ///   - fixed: values in the query that an argument may replace.
  ///   - present: makes the tool's answer from the operation's.
  ///   - shorten: the same of its document, by the arguments.
  func tool(
    _ name: String, _ title: String, _ effect: Tool.Effect, _ description: String,
    operation operationName: String, only: [String], naming members: [String: ObjectSchema.Member] = [:],
    adding more: [ObjectSchema.Member] = [], fixed: [(name: String, value: String)] = [],
    present: ((Response) -> Response)? = nil, shorten: ((JSON, Fields) throws -> JSON)? = nil
  ) -> Tool {
    guard let operation = operations[operationName] else {
      preconditionFailure("there is no operation \(operationName)")
    }
    let call = OperationCall(operation, named: members, fixed: fixed)
    return Tool(name, title, effect, description, inputs(operation, only, members) + more) {
      arguments, calls in
      if members["limit"] != nil { _ = try ToolPage.limit(arguments) }
      let reply = try call.reply(arguments, calls)
      if let shorten, let answer = try reply.whole {
        return .now(try answer.with { try shorten($0, arguments) })
      }
      return present.map { reply.map($0) } ?? reply
    }
  }

  private func inputs(
    _ operation: Operation, _ only: [String], _ named: [String: ObjectSchema.Member]
  ) -> [ObjectSchema.Member] {
    let captures = operation.captures.map { member in
      ObjectSchema.Member(
        member.name, member.schema, member.summary, member.name == "id" ? .optional : .required)
    }
    let known = captures + operation.query + (operation.body?.members ?? [])
    return only.map { name in
      guard let member = known.first(where: { $0.name == name }) else {
        preconditionFailure("\(operation.route.name) has no member \(name)")
      }
      if let other = named[name] { return other }
      return name == "provider" ? provider(member.summary, member.presence) : member
    }
  }
}
