import Domain
import HTTP
import JSON

/// Scenarios, faults and webhook faults.
extension ControlAPI {
  static let scenarioList = Schema<[CountedRule<Scenario>]>.list(
    "scenarios", CountedRule<Scenario>.schema, "The scenarios, in order.")
  static let faultList = Schema<[CountedRule<Fault>]>.list(
    "faults", CountedRule<Fault>.schema, "The faults, in order.")

  static let webhookFaultList = Schema<[CountedRule<WebhookFault>]>.list(
    "webhookFaults", CountedRule<WebhookFault>.schema, "The webhook faults, in order.")

  static let newScenarios = ObjectSchema(
    "Scenarios", "The new scenarios.",
    [
      .init(
        "scenarios", .array(.object(Scenario.schema.object), maxItems: RuleLimits.perList),
        "The new scenarios, in order.", .required)
    ])
  static let newFaults = ObjectSchema(
    "Faults", "The new faults.",
    [
      .init(
        "faults", .array(.object(Fault.schema.object), maxItems: RuleLimits.perList),
        "The new faults, in order.", .required)
    ])

  static let newWebhookFaults = ObjectSchema(
    "WebhookFaults", "The new webhook faults.",
    [
      .init(
        "webhookFaults", .array(.object(WebhookFault.schema.object), maxItems: RuleLimits.perList),
        "The new webhook faults, in order.", .required)
    ])

  func listScenarios(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    Self.scenarioList.response(try sandbox.scenarios.all)
  }

  func putScenarios(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let scenarios = try sandboxes.seeds.scenarios(
      from: fields.objects("scenarios", atMost: RuleLimits.perList), for: sandbox)
    try fields.requireAllRead(of: Self.newScenarios)
    try sandbox.scenarios.replace(with: scenarios)
    return try listScenarios(request, sandbox)
  }

  func clearScenarios(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.scenarios.replace(with: [])
    return Response(204)
  }

  func listFaults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    Self.faultList.response(try sandbox.faults.all)
  }

  func putFaults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let faults = try sandboxes.seeds.faults(from: fields.objects("faults", atMost: RuleLimits.perList))
    try fields.requireAllRead(of: Self.newFaults)
    try sandbox.faults.replace(with: faults)
    return try listFaults(request, sandbox)
  }

  func clearFaults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.faults.replace(with: [])
    return Response(204)
  }

  func listWebhookFaults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    Self.webhookFaultList.response(try sandbox.webhookFaults.all)
  }

  func putWebhookFaults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let faults = try sandboxes.seeds.webhookFaults(
      from: fields.objects("webhookFaults", atMost: RuleLimits.perList))
    try fields.requireAllRead(of: Self.newWebhookFaults)
    try sandbox.webhookFaults.replace(with: faults)
    return try listWebhookFaults(request, sandbox)
  }

  func clearWebhookFaults(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.webhookFaults.replace(with: [])
    return Response(204)
  }
}
