import Domain
import HTTP
import JSON
import ProviderKit

// PhoneID: what is known of a number. Source: contract 10.

var phoneIDRoutes: [Route<Sandbox>] {
  [
    route(.post, "/v1/phoneid", as: "lookUpNumberInBody", of: .phoneID, lookUpNumberInBody),
    route(.post, "/v1/phoneid/{phone_number}", as: "lookUpNumber", of: .phoneID, lookUpNumber),
  ] + olderPhoneIDRoutes
}

/// `POST /v1/phoneid/{phone_number}`
func lookUpNumber(_ call: Call) throws -> Response {
  try lookUp(call.request[parameter: "phone_number"], Submission(call.request), call)
}

/// `POST /v1/phoneid`
func lookUpNumberInBody(_ call: Call) throws -> Response {
  let submission = try Submission(call.request)
  guard let text = try submission.text("phone_number") else { throw Problem(12000, in: call.family) }
  return try lookUp(text, submission, call)
}

private func lookUp(_ text: String, _ submission: Submission, _ call: Call) throws -> Response {
  let circumstances = try Circumstances(submission, in: call.family)
  let orders = try AddOnOrder.all(in: submission, call)
  let number = try call.number(text)
  try call.admitSpending()
  let line = try Line(of: number, in: call.sandbox)
  let results = try orders.map { (name: $0.name, result: try $0.result(for: line, call)) }
  let isComplete = results.allSatisfy { $0.result.isComplete }
  let reference = referenceID(.lookup, call.sandbox.nextOrdinal(), in: call.sandbox)
  return call.answer { json in
    json.member("reference_id", reference)
    json.member("external_id", circumstances.externalID)
    call.writeStatus(isComplete ? 300 : 301, to: &json)
    line.write(to: &json)
    for (name, result) in results { json.object(named: name) { result.write(to: &$0, name) } }
  }
}
