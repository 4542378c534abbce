import HTTP
import JSON
import ProviderKit

// The resource `/v2/verification/management/sender-id`. Source: contract 6.2.

func listSenderIDs(_ call: Call) throws -> Response {
  try call.refuseWithoutManagement()
  let senders = try SenderID.all(in: call.sandbox)
  return call.bareAnswer { SenderIDListBody(senders: senders).write(to: &$0) }
}

func submitSenderID(_ call: Call) throws -> Response {
  let name = try call.request.json.string("sender_id")
  guard SenderID.isWellFormed(name) else {
    throw Problem(
      .invalidSenderID, "sender_id has to be 1 to 11 letters, digits and separators, or a phone number",
      param: "sender_id")
  }
  try call.refuseWithoutManagement()
  let sender = try SenderID.submit(name, in: call.sandbox)
  return call.bareAnswer { SenderIDBody(sender: sender).write(to: &$0) }
}
