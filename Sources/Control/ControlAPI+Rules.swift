import Domain
import HTTP
import JSON

/// Scenarios and faults: what goes wrong on purpose.
extension ControlAPI {
  func listScenarios(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let all = try sandbox.scenarios.all
    return .json(
      200,
      JSONWriter.object { json in
        json.array("scenarios", all) { json, entry in
          json.value {
            entry.rule.write(to: &$0)
            $0.member("hits", entry.hits)
          }
        }
      })
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
    let all = try sandbox.faults.all
    return .json(
      200,
      JSONWriter.object { json in
        json.array("faults", all) { json, entry in
          json.value {
            entry.rule.write(to: &$0)
            $0.member("hits", entry.hits)
          }
        }
      })
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
}
