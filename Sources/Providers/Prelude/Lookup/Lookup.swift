import Domain
import HTTP
import ProviderKit

// The resource `/v2/lookup/{number}`. Source: contract 7.

func lookUpNumber(_ call: Call) throws -> Response {
  let features = try call.request.query.words("type", of: LookupFeature.self)
  let number = try call.number(call.request[parameter: "number"], of: "phone_number")
  let showsCaller = features.contains(.callerName) && call.settings.callerNames
  let facts = try LineFacts(of: number, in: call)
  return call.bareAnswer { LookupBody(facts: facts, showsCaller: showsCaller).write(to: &$0) }
}

/// What a lookup can tell beside the line. Source: contract 7.
enum LookupFeature: String, CaseIterable {
  /// The name that a handset shows for a caller.
  case callerName = "cnam"
}
