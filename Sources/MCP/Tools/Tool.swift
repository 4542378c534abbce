import Control

/// One tool: what agents read about it, and what it does.
struct Tool {
  /// What a client may do without asking the person in front of it.
  enum Effect {
    case reads
    case changes
    /// Something cannot be brought back.
    case removes
  }

  /// Returns the reply of the control API, or a document of the tool's own.
  typealias Action = (Fields, ControlCalls) throws -> Reply

  let name: String
  let title: String
  let description: String
  let effect: Effect
  let input: ObjectSchema
  let action: Action

  init(
    _ name: String, _ title: String, _ effect: Effect, _ description: String,
    _ members: [ObjectSchema.Member], action: @escaping Action
  ) {
    self.name = name
    self.title = title
    self.effect = effect
    self.description = description
    input = ObjectSchema(nil, "", members.map(\.forAgents) + [Self.sandbox])
    self.action = action
  }

  private static let sandbox = ObjectSchema.Member(
    "sandbox", .string(),
    "The sandbox's name; by default this connection's.")

  /// As `tools/list` has it.
  var listing: [UInt8] {
    JSONWriter.object { json in
      json.member("name", name)
      json.member("title", title)
      json.member("description", description)
      json.object("inputSchema") { input.write(to: &$0, for: .response) { _ in nil } }
      json.object("annotations") { json in
        json.member("readOnlyHint", effect == .reads)
        // Without a meaning for a tool that only reads.
        if effect != .reads { json.member("destructiveHint", effect == .removes) }
        json.member("openWorldHint", false)
      }
    }
  }
}

extension ObjectSchema.Member {
  /// Agents leave out what they do not need; `null` only confuses them.
  fileprivate var forAgents: ObjectSchema.Member {
    ObjectSchema.Member(name, schema.plain, summary, presence == .required ? .required : .optional)
  }
}

/// How an operation of the control API becomes a tool: which of its members an agent may use.
struct OperationCall {
  private let operation: Operation
  private let named: [String: ObjectSchema.Member]
  private let fixed: [(name: String, value: String)]

  /// `named` are members that the tool describes in its own words; `fixed` are values of the query.
  init(
    _ operation: Operation, named: [String: ObjectSchema.Member], fixed: [(name: String, value: String)]
  ) {
    self.operation = operation
    self.named = named
    self.fixed = fixed
  }

  /// Sends the request with these arguments in the places that the operation has for them.
  func reply(_ arguments: Fields, _ calls: ControlCalls) throws(FieldError) -> Reply {
    var path = operation.route.pattern.description
    for capture in operation.captures {
      let member = named[capture.name]
      let name = member?.name ?? capture.name
      let isOptional = capture.name == "id" && member?.presence != .required
      let value = isOptional ? try arguments.optionalString(name) ?? "latest" : try arguments.string(name)
      path = path.replacing("{\(capture.name)}", with: PercentCoding.encode(value))
    }
    var query = fixed
    for member in operation.query where arguments.has(member.name) {
      guard let value = try arguments.optionalJSON(member.name) else { continue }
      query.removeAll { $0.name == member.name }
      query.append((member.name, value.asText))
    }
    if !query.isEmpty {
      path += "?" + query.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    }
    let method = operation.route.method
    guard let body = operation.body else { return calls.send(method, path) }
    var members: [JSON.Member] = []
    for member in body.members {
      guard var value = try arguments.optionalJSON(member.name) else { continue }
      // A document where the operation takes a text.
      if case .object = value, case .string = member.schema.plain { value = .string(value.asText) }
      members.append(JSON.Member(name: member.name, value: value))
    }
    return calls.send(method, path, body: .object(members))
  }
}

extension JSONSchema {
  /// Without `null`.
  fileprivate var plain: JSONSchema { if case .nullable(let plain) = self { plain } else { self } }
}

extension JSON {
  /// A text without its quotes, for a query.
  fileprivate var asText: String {
    if case .string(let text) = self { text } else { String(decoding: encoded(), as: UTF8.self) }
  }
}
