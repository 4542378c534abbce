import Control
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · OpenAPI document")
struct OpenAPITests {
  let desk: Desk
  let document: JSON

  init() throws {
    desk = try Desk()
    document = try JSON(parsing: desk.respond("GET /control/openapi.json").body)
  }

  @Test("the document names its OpenAPI version")
  func version() {
    #expect(document["openapi"] == .string("3.1.0"))
    #expect(document["info"]?["title"] == .string("Ringfence control API"))
  }

  @Test("every route is described, and nothing else is")
  func operations() {
    let routes = control.map { "\($0.method.rawValue) \($0.pattern) \($0.name)" }

    #expect(described.map { "\($0.method.uppercased()) \($0.path) \($0.id)" }.sorted() == routes.sorted())
  }

  @Test("no two operations have one id")
  func ids() {
    #expect(Set(described.map(\.id)).count == described.count)
  }

  @Test("every capture of a path is a required parameter, and no other parameter is")
  func captures() {
    for route in control {
      let parameters = operation(route)?["parameters"]?.items ?? []
      let required = parameters.filter { $0["required"] == .bool(true) }

      #expect(required.map { $0["name"] } == route.pattern.names.map { .string($0) }, "\(route.name)")
      #expect(required.allSatisfy { $0["in"] == .string("path") }, "\(route.name)")
      #expect(parameters.filter { $0["in"] == .string("path") }.count == required.count, "\(route.name)")
    }
  }

  @Test("every field of a query has a type and a meaning")
  func queries() {
    let fields = control.flatMap { operation($0)?["parameters"]?.items ?? [] }.filter {
      $0["in"] == .string("query")
    }

    #expect(fields.count > 20)
    #expect(fields.allSatisfy { $0["schema"]?["type"]?.text != nil || $0["schema"]?["enum"] != nil })
    #expect(
      fields.allSatisfy { if case .string(let text) = $0["description"] { !text.isEmpty } else { false } })
  }

  @Test("every parameter that is described is accepted")
  func fieldsAreTaken() throws {
    for route in control where route.method == .get {
      for field in operation(route)?["parameters"]?.items ?? [] where field["in"] == .string("query") {
        guard case .string(let name) = field["name"] else { continue }
        let value = ["channel": "sms", "state": "pending"][name] ?? "1"
        let path = route.pattern.description.replacing(#/\{\w+\}/#, with: "1")

        let answer = try desk.ask("GET \(path)?\(name)=\(value)")

        #expect(!answer.contains("unknown query parameter"), "\(route.name) \(name): \(answer)")
      }
    }
  }

  @Test("every operation has a summary and answers")
  func summaries() {
    for route in control {
      let operation = operation(route)

      #expect(operation?["summary"] != nil, "\(route.name)")
      let done = (operation?["responses"]?.names ?? []).filter { $0.hasPrefix("2") }
      #expect(!done.isEmpty, "\(route.name)")
      for status in done where status != "204" {
        #expect(
          operation?["responses"]?[status]?["content"]?.names.isEmpty == false, "\(route.name) \(status)")
      }
      #expect(operation?["responses"]?["4XX"]?["description"] != nil, "\(route.name)")
    }
  }

  @Test("every operation that takes a body refers to a schema that is there")
  func bodies() throws {
    let references = control.compactMap {
      operation($0)?["requestBody"]?["content"]?["application/json"]?["schema"]?["$ref"]
    }
    let schemas = document["components"]?["schemas"]?.names ?? []

    #expect(
      Set(references.compactMap(\.text)).isSubset(of: Set(schemas.map { "#/components/schemas/\($0)" })))
    #expect(control.filter { $0.method == .put }.allSatisfy { operation($0)?["requestBody"] != nil })
  }

  @Test("every member of a schema has a type")
  func schemas() {
    var untyped: Set<String> = []
    for name in document["components"]?["schemas"]?.names ?? [] {
      let properties = document["components"]?["schemas"]?[name]?["properties"]
      for member in properties?.names ?? [] {
        let schema = properties?[member]
        if !["type", "enum", "anyOf", "$ref"].contains(where: { schema?[$0] != nil }) {
          untyped.insert(member)
        }
      }
    }

    #expect(untyped == ["details", "record"], "members with any value")
  }

  private var control: [Route<Sandbox>] {
    desk.world.dispatcher.router.owners.first { $0.name == ControlAPI.name }?.routes ?? []
  }

  private var described: [(path: String, method: String, id: String)] {
    guard let paths = document["paths"] else { return [] }
    return paths.names.flatMap { path in
      (paths[path]?.names ?? []).map { method in
        (path, method, paths[path]?[method]?["operationId"]?.text ?? "")
      }
    }
  }

  private func operation(_ route: Route<Sandbox>) -> JSON? {
    document["paths"]?[route.pattern.description]?[route.method.rawValue.lowercased()]
  }
}

extension JSON {
  /// The values of an array.
  var items: [JSON] { if case .array(let items) = self { items } else { [] } }

  /// The names of an object's members.
  var names: [String] { if case .object(let members) = self { members.map(\.name) } else { [] } }

  /// The text of a string.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
