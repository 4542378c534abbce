/// The description of the control API, made from its table of operations.
extension ControlAPI {
  func openAPI(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    guard let name = try Parameter.operation.value(in: request.query) else {
      return .json(200, openAPIDocument)
    }
    if name == "list" { return Self.operationList.response(operations.map(OperationEntry.init)) }
    guard let operation = operations.first(where: { $0.route.name == name }) else {
      let meant = operations.map(\.route.name).nearest(to: name).map { "; did you mean \($0)?" } ?? ""
      throw ControlProblem.notFound("operation \(name)\(meant)")
    }
    return .json(200, OpenAPIDocument([operation], faultOptions: []).encoded)
  }

  private static let operationList = Schema<[OperationEntry]>.list(
    "operations",
    Schema<OperationEntry>(
      nil, "",
      [
        .readOnly("name", .string, "The name.") { $0.name },
        .readOnly("method", .string, "The method.") { $0.method },
        .readOnly("path", .string, "The path.") { $0.path },
        .readOnly("summary", .string, "What it does.") { $0.summary },
      ]), "The operations.")

  package var openAPIDocument: [UInt8] {
    if let bytes = openAPICache.bytes { return bytes }
    let bytes = OpenAPIDocument(operations, faultOptions: sandboxes.seeds.names).encoded
    openAPICache.bytes = bytes
    return bytes
  }
}

/// What a list of operations says of one.
private struct OperationEntry: Sendable {
  let name: String
  let method: String
  let path: String
  let summary: String

  init(_ operation: Operation) {
    name = operation.route.name
    method = operation.route.method.rawValue
    path = operation.route.pattern.description
    summary = operation.summary
  }
}

/// The encoded description, built on first use. A class because the control API is a value.
final class OpenAPICache {
  fileprivate var bytes: [UInt8]?
}

/// An OpenAPI 3.1 document.
///
/// A record that is in requests and answers has two components, because a request may leave out members that
/// every answer has: `Subscriber` for answers and `SubscriberInput` for requests.
private struct OpenAPIDocument {
  private let operations: [Operation]
  /// Written as `x-fault-options`, because the routes and codes that a fault can name depend on its provider.
  private let faultOptions: [RouteNames]
  private let requestObjects: [ObjectSchema]
  private let responseObjects: [ObjectSchema]

  init(_ operations: [Operation], faultOptions: [RouteNames]) {
    self.operations = operations
    self.faultOptions = faultOptions
    var requests: [ObjectSchema] = []
    var responses: [ObjectSchema] = []
    for operation in operations {
      if let body = operation.body { JSONSchema.object(body).collectNamed(into: &requests) }
      for case .json(let schema, let direction) in operation.answers.map(\.content) {
        switch direction {
        case .request: schema().collectNamed(into: &requests)
        case .response: schema().collectNamed(into: &responses)
        }
      }
    }
    JSONSchema.object(ControlProblem.schema.object).collectNamed(into: &responses)
    requestObjects = requests
    responseObjects = responses
  }

  var encoded: [UInt8] {
    JSONWriter.object { json in
      json.member("openapi", "3.1.0")
      json.object("info") {
        $0.member("title", "Ringfence control API")
        $0.member("version", "1")
        $0.member(
          "description", "The header X-Sandbox or the path prefix /s/<name> selects the sandbox.")
      }
      // No token, or a token: the server decides by its addresses and options.
      json.array("security", [false, true]) { json, hasToken in
        json.value(object: { if hasToken { $0.array("token", [String]()) { $0.value($1) } } })
      }
      json.object("paths") { writePaths(to: &$0) }
      json.object("components") { json in
        json.object("securitySchemes") { json in
          json.object("token") { json in
            json.member("type", "http")
            json.member("scheme", "bearer")
            json.member("description", "The admin token, or the token of one sandbox.")
          }
        }
        json.object("schemas") { json in
          write(responseObjects, for: .response, to: &json)
          write(requestObjects, for: .request, to: &json)
        }
      }
      json.object("x-fault-options") { FaultOptions.schema.write(faultOptions, to: &$0) }
    }
  }

  private func write(
    _ objects: [ObjectSchema], for direction: JSONSchema.Direction, to json: inout JSONWriter
  ) {
    for object in objects {
      guard let name = component(object, in: direction) else { continue }
      json.object(named: name) {
        object.write(to: &$0, for: direction) { reference(to: $0, in: direction) }
      }
    }
  }

  private func component(_ object: ObjectSchema, in direction: JSONSchema.Direction) -> String? {
    guard let name = object.name else { return nil }
    switch direction {
    case .response: return name
    case .request: return responseObjects.contains { $0.name == name } ? "\(name)Input" : name
    }
  }

  private func reference(to object: ObjectSchema, in direction: JSONSchema.Direction) -> String? {
    component(object, in: direction).map { "#/components/schemas/\($0)" }
  }

  private func write(
    _ schema: JSONSchema, for direction: JSONSchema.Direction, to json: inout JSONWriter
  ) {
    schema.write(to: &json, for: direction) { reference(to: $0, in: direction) }
  }

  private func writePaths(to json: inout JSONWriter) {
    var written: Set<String> = []
    for operation in operations where written.insert(operation.route.pattern.description).inserted {
      let path = operation.route.pattern.description
      json.object(named: path) { json in
        for same in operations where same.route.pattern.description == path {
          json.object(named: same.route.method.rawValue.lowercased()) { write(same, to: &$0) }
        }
      }
    }
  }

  private func write(_ operation: Operation, to json: inout JSONWriter) {
    json.member("operationId", operation.route.name)
    json.member("summary", operation.summary)
    json.member("x-access", operation.route.access.rawValue)
    if operation.route.access == .open { json.array("security", [String]()) { $0.value($1) } }
    json.array("parameters", parameters(of: operation)) { json, parameter in
      json.value(object: { json in
        json.member("name", parameter.member.name)
        json.member("in", parameter.isPath ? "path" : "query")
        json.member("required", parameter.isPath)
        json.object("schema") { write(parameter.member.schema, for: .response, to: &$0) }
        json.member("description", parameter.member.summary)
      })
    }
    if let body = operation.body {
      json.object("requestBody") { json in
        let isRequired = !body.constraints.isEmpty || body.members.contains { $0.presence == .required }
        json.member("required", isRequired)
        write(.object(body), for: .request, as: "application/json", to: &json)
      }
    }
    json.object("responses") { writeResponses(of: operation, to: &$0) }
  }

  private func parameters(of operation: Operation) -> [(member: ObjectSchema.Member, isPath: Bool)] {
    operation.captures.map { ($0, true) } + operation.query.map { ($0, false) }
  }

  private func writeResponses(of operation: Operation, to json: inout JSONWriter) {
    var isText = false
    for answer in operation.answers {
      for status in answer.statuses {
        json.object(named: String(status)) { json in
          json.member("description", Self.description(of: status))
          switch answer.content {
          case .empty: break
          case .text: write(.string(), for: .response, as: "text/plain", to: &json)
          case .file(let type): write(.string(), for: .response, as: type, to: &json)
          case .json(let schema, let direction):
            write(schema(), for: direction, as: "application/json", to: &json)
          }
        }
      }
      if case .text = answer.content { isText = true }
    }
    json.object("4XX") { json in
      json.member("description", "The error: the field, the problem, and the expected value.")
      json.object("content") { json in
        json.object("application/json") { json in
          json.object("schema") { write(.object(ControlProblem.schema.object), for: .response, to: &$0) }
        }
        if isText {
          json.object("text/plain") { $0.object("schema") { $0.member("type", "string") } }
        }
      }
    }
  }

  private func write(
    _ schema: JSONSchema, for direction: JSONSchema.Direction, as type: String, to json: inout JSONWriter
  ) {
    json.object("content") { json in
      json.object(named: type) { json in json.object("schema") { write(schema, for: direction, to: &$0) } }
    }
  }

  private static func description(of status: Int) -> String {
    switch status {
    case 200: "Success."
    case 201: "Created."
    case 202: "Not finished yet."
    case 204: "Success, without a body."
    default: "The claim is wrong."
    }
  }
}
