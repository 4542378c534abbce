import Domain
import HTTP
import JSON

/// The description of the control API, made from its table of operations.
extension ControlAPI {
  func openAPI(_ request: Request, _ sandbox: Sandbox) -> Response {
    .json(200, openAPIDocument)
  }

  /// An OpenAPI 3.1 document.
  package var openAPIDocument: [UInt8] {
    JSONWriter.object { json in
      json.member("openapi", "3.1.0")
      json.object("info") {
        $0.member("title", "Ringfence control API")
        $0.member("version", "1")
        $0.member(
          "description", "The sandbox is chosen by the header X-Sandbox or the path prefix /s/<name>.")
      }
      json.object("paths") { writePaths(to: &$0) }
      json.object("components") { json in
        json.object("schemas") { json in
          for schema in BodySchema.allCases { schema.write(to: &json) }
        }
      }
    }
  }

  private func writePaths(to json: inout JSONWriter) {
    var written: Set<String> = []
    for operation in operations where written.insert(operation.route.pattern.description).inserted {
      let path = operation.route.pattern.description
      json.object(named: path) { json in
        for same in operations where same.route.pattern.description == path {
          write(same, to: &json)
        }
      }
    }
  }

  private func write(_ operation: Operation, to json: inout JSONWriter) {
    json.object(named: operation.route.method.rawValue.lowercased()) { json in
      json.member("operationId", operation.route.name)
      json.member("summary", operation.summary)
      let captures = operation.route.pattern.names.map {
        (name: $0, place: "path", type: "string", meaning: "")
      }
      let fields = operation.query.map { (name: $0.name, place: "query", type: $0.type, meaning: $0.meaning) }
      json.array("parameters", captures + fields) { json, field in
        json.value { json in
          json.member("name", field.name)
          json.member("in", field.place)
          json.member("required", field.place == "path")
          json.object("schema") { $0.member("type", field.type) }
          if !field.meaning.isEmpty { json.member("description", field.meaning) }
        }
      }
      if let body = operation.body { write(body, to: &json) }
      json.object("responses") { json in
        json.object("2XX") { json in
          json.member("description", "Done.")
          json.object("content") { $0.object(named: operation.answer.rawValue) { _ in } }
        }
        json.object("4XX") { $0.member("description", "What was wrong, and what was expected.") }
      }
    }
  }

  private func write(_ body: BodySchema, to json: inout JSONWriter) {
    json.object("requestBody") { json in
      json.object("content") { json in
        json.object("application/json") { json in
          json.object("schema") { $0.member("$ref", "#/components/schemas/\(body.rawValue)") }
        }
      }
    }
  }
}
