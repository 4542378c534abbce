import Crypto
import ProviderKit

/// A request of SMS whose caller is known.
struct SMSContext {
  let request: Request
  let sandbox: Sandbox
  let plan: Plan

  var now: Timestamp { sandbox.clock.now }
}

/// The handler of an operation of SMS: authenticates the request.
func onPlan<Answer>(
  _ operation: @escaping (SMSContext) throws -> Answer
) -> (Request, Sandbox) throws -> Answer {
  { request, sandbox in
    let plan = try SMSAuthentication(request: request, sandbox: sandbox).plan()
    return try operation(SMSContext(request: request, sandbox: sandbox, plan: plan))
  }
}

/// Source: `senders.md` 7: a plan's path has its API token, that of a project a token of OAuth.
private struct SMSAuthentication {
  let request: Request
  let sandbox: Sandbox

  /// The plan of the path. Those that the sandbox does not know are accepted if it is open.
  func plan() throws -> Plan {
    guard case .token(let token) = BearerToken(request.headers) else {
      throw SMSError(.unauthorized).because("expected Authorization: Bearer and a token")
    }
    let id = request[parameter: "plan"]
    guard let known = try PlanCredential.find(id, in: sandbox) else {
      guard sandbox.acceptsUnknownAccounts else {
        throw SMSError(.unauthorized)
          .because("sandbox \(sandbox.name) has no service plan and no project \(id)")
      }
      return Plan(withID: id)
    }
    guard let plan = try Plan.find(known.plan, in: sandbox) else { return Plan(withID: id) }
    switch known.kind {
    case .plan:
      guard constantTimeEqual(plan.token, token) else {
        throw SMSError(.unauthorized).because("wrong API token of the service plan \(id)")
      }
    case .project, .key:
      let key = try SMSToken(token, in: sandbox).key
      guard known.kind == .project, try PlanCredential.find(key, in: sandbox)?.plan == plan.id else {
        throw SMSError(.unauthorized).because("the access key \(key) is not of the project \(id)")
      }
    }
    return plan
  }
}
