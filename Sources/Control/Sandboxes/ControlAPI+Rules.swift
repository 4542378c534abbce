import Domain
import HTTP
import JSON

/// Scenarios and faults: what goes wrong on purpose.
extension ControlAPI {
  func listScenarios(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    list("scenarios", try sandbox.scenarios.all) { $0.write(to: &$1) }
  }

  func putScenarios(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let scenarios = try sandboxes.seeds.scenarios(from: fields.objects("scenarios"))
    try fields.requireAllRead()
    try sandbox.scenarios.replace(with: scenarios)
    return try listScenarios(request, sandbox)
  }

  func clearScenarios(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.scenarios.replace(with: [])
    return Response(204)
  }

  func listFaults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    list("faults", try sandbox.faults.all) { $0.write(to: &$1) }
  }

  func putFaults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let faults = try sandboxes.seeds.faults(from: fields.objects("faults"))
    try fields.requireAllRead()
    try sandbox.faults.replace(with: faults)
    return try listFaults(request, sandbox)
  }

  func clearFaults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.faults.replace(with: [])
    return Response(204)
  }

  /// Rules as they were set, each with how often it has matched.
  private func list<Rule>(
    _ name: StaticString, _ rules: [(rule: Rule, hits: Int)], write: (Rule, inout JSONWriter) -> Void
  ) -> Response {
    .json(
      200,
      JSONWriter.object { json in
        json.array(name, rules) { json, entry in
          json.value {
            write(entry.rule, &$0)
            $0.member("hits", entry.hits)
          }
        }
      })
  }
}
