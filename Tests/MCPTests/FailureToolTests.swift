import Control
import Domain
import Foundation
import HTTP
import JSON
import Numbers
import Support
import Testing

@testable import MCP

@Suite("MCP · failures and explanations")
struct FailureToolTests {
  private let agent: Agent

  init() throws { agent = try Agent() }

  @Test("list_failures has every failure, or those of a flow")
  func list() throws {
    let all = try agent.document("list_failures")["failures"]?.items?.compactMap { $0["failure"]?.text }
    #expect(all == FailureGroup.all.flatMap(\.failures).map(\.id))
    let pushes = try agent.document("list_failures", #"{"flow":"push"}"#)["failures"]?.items ?? []
    #expect(pushes.first?["of"]?.text == "Pushes")
    #expect(pushes.count < all?.count ?? 0)
    #expect(try agent.document("list_failures").encoded().count < 11_000)
  }

  /// In one sandbox, because each takes a while to make.
  @Test("each failure that is a rule starts by its name and ends by it")
  func roundTrip() throws {
    for failure in FailureGroup.all.flatMap(\.failures) where failure.cause.list != nil {
      let arguments = #"{"failure":"\#(failure.id)","number":"+12025550100"}"#
      #expect(try agent.document("fail", arguments)["effect"]?.text == failure.effect)
      #expect(try rules() == 1, "\(failure.id)")
      #expect(
        try agent.call("repair", #"{"failure":"\#(failure.id)","number":"+12025550199"}"#)
          == "error: \(failure.id) is not on for +12025550199")
      #expect(try agent.call("repair", arguments) == #"{"repaired":"\#(failure.id)"}"#)
      #expect(try rules() == 0, "\(failure.id)")
    }
  }

  @Test("a failure is for whom, and as often as, it says")
  func options() throws {
    _ = try agent.call(
      "fail", #"{"failure":"text-late","number":"+12025550101","provider":"acme","times":2,"every":3}"#)
    let scenario = try #require(try agent.world.sandbox.scenarios.all.first?.rule)

    #expect(
      String(decoding: Scenario.schema.encode(scenario), as: UTF8.self).contains(#""number":"+12025550101""#))
    #expect(String(decoding: Scenario.schema.encode(scenario), as: UTF8.self).contains(#""provider":"acme""#))
    #expect(scenario.occurrences.times == 2 && scenario.occurrences.every == 3)
    try agent.send()
    #expect(try agent.call("get_code", #"{"number":"+12025550100"}"#).count == 6)
    _ = try agent.call("fail", #"{"failure":"api-503","times":1}"#)
    _ = try agent.call("fail", #"{"failure":"webhook-twice"}"#)
    #expect(try agent.call("repair") == #"{"repaired":"all rules that break something"}"#)
    #expect(try rules() == 0)
  }

  @Test("a text is as late as it should be")
  func delay() throws {
    #expect(
      try agent.call("fail", #"{"failure":"text-late","delayMs":180000}"#)
        == #"{"failure":"text-late","effect":"Late, after 180000 ms","undo":"repair without failure, which ends all rules"}"#
    )
    try agent.send()

    #expect(
      try agent.call("get_code", #"{"number":"+12025550100"}"#).contains("arrives at 2026-01-05T10:23:30"))
    _ = try agent.call("advance_clock", #"{"advance":"3m"}"#)
    #expect(try agent.call("get_code", #"{"number":"+12025550100"}"#).count == 6)
  }

  @Test("a failure that has happened does not happen again because another one begins or ends")
  func usedUp() throws {
    _ = try agent.call("fail", #"{"failure":"api-503","times":1}"#)
    try agent.send()
    _ = try agent.call("fail", #"{"failure":"api-slow"}"#)
    _ = try agent.call("repair", #"{"failure":"api-slow"}"#)
    try agent.send()

    #expect(try agent.call("get_code", #"{"number":"+12025550100"}"#).count == 6)
    let on = try agent.document("show_sandbox")["failuresOn"]?.items ?? []
    #expect(
      on.map { String(decoding: $0.encoded(), as: UTF8.self) } == [
        #"{"failure":"api-503","times":1,"applied":1}"#
      ])
  }

  @Test("a line fails and is repaired")
  func line() throws {
    let arguments = #"{"failure":"text-suspended","number":"+12025550100"}"#
    #expect(try agent.call("fail", arguments).contains("repair with failure text-suspended"))
    #expect(try agent.world.sandbox.subscribers[PhoneNumber("+12025550100")!].suspended)
    #expect(try agent.call("repair", arguments) == #"{"repaired":"text-suspended"}"#)
    #expect(try !agent.world.sandbox.subscribers[PhoneNumber("+12025550100")!].suspended)
  }

  @Test("steps that only an app can do are told")
  func byHand() throws {
    #expect(try agent.document("fail", #"{"failure":"code-wrong"}"#)["byHand"]?.text == "Enter another code.")
  }

  private func rules() throws -> Int {
    let sandbox = agent.world.sandbox
    return try sandbox.faults.all.count + sandbox.scenarios.all.count + sandbox.webhookFaults.all.count
  }

  // MARK: Explanations

  private func changes(_ arguments: String = "{}") throws -> [String] {
    try agent.document("explain_request", arguments)["change"]?.items?.compactMap(\.text) ?? []
  }

  /// A request to the Verify Service of Twilio, with the right credentials unless others are given.
  private func twilio(_ path: String, _ form: String, authorization: String? = nil) throws {
    let own = try agent.document("show_sandbox", #"{"provider":"twilio"}"#)["providers"]?["twilio"]?[
      "credentials"]
    let pair = "\(own?["accountSid"]?.text ?? ""):\(own?["authToken"]?.text ?? "")"
    let basic = "Basic \(Data(pair.utf8).base64EncodedString())"
    try agent.app(
      "POST /v2/Services/\(own?["serviceSid"]?.text ?? "")/\(path)", form,
      ["Authorization": authorization ?? basic])
  }

  @Test("a request that was accepted needs no change")
  func accepted() throws {
    try twilio("Verifications", "To=%2B12025550100&Channel=sms")

    #expect(try agent.document("explain_request")["change"] == nil)
    #expect(try agent.document("explain_request")["outcome"]?.text == "accepted")
    #expect(
      try agent.document("explain_request")["request"]?["response"]?["body"]?["status"]?.text == "pending")
  }

  @Test("51.9: a wrong code that is answered with 200 is no accepted request")
  func wrongCode() throws {
    try twilio("Verifications", "To=%2B12025550100&Channel=sms")
    try twilio("VerificationCheck", "To=%2B12025550100&Code=000000")

    let explained = try agent.document("explain_request")
    #expect(explained["outcome"]?.text == "answered with 200: see why")
    #expect(explained["why"]?.text == "wrong code: check 1 of 5")
    #expect(
      try changes() == ["Enter the code of the newest message. Checks that are left: 4."])
  }

  @Test("51.9: a text that a failure took names the failure")
  func lostText() throws {
    _ = try agent.call("fail", #"{"failure":"text-lost"}"#)
    try twilio("Verifications", "To=%2B12025550100&Channel=sms")

    let explained = try agent.document("explain_request")
    #expect(
      explained["why"]?.text?.hasPrefix("the text is lost, because of the failure text-lost (scenario 1")
        == true)
    #expect(
      try changes() == ["A failure of messages is on in this sandbox (text-lost). To end it, call repair."])
    _ = try agent.call("repair")
    try twilio("Verifications", "To=%2B12025550130&Channel=sms")
    #expect(try agent.document("explain_request")["why"]?.text?.contains("ends in 0130") == true)
    #expect(try changes() == [])
  }

  @Test("54.8: 54.13: a line that takes no texts names the failure, what ends it, and the provider's error")
  func landline() throws {
    let undo = try agent.document("fail", #"{"failure":"line-landline","number":"+12025550177"}"#)["undo"]
    #expect(undo?.text == "repair with failure line-landline and number +12025550177")
    try twilio("Verifications", "To=%2B12025550177&Channel=sms")

    let found = try changes()
    #expect(
      found.first
        == "The line +12025550177 has line-landline or text-landline. To end it, call repair with failure "
        + "line-landline and number +12025550177."
    )
    #expect(found.last?.hasPrefix("twilio's error 60205: A text to a landline is 60205 only if") == true)
  }

  @Test("54.4: a code of the verification that the request names is not one of another number")
  func rightCode() throws {
    try twilio("Verifications", "To=%2B12025550100&Channel=sms")
    let code = try agent.call("get_code", #"{"number":"+12025550100"}"#)
    let sent = try #require(try agent.document("explain_request")["request"]?["response"]?["body"])
    let check = "VerificationSid=\(sent["sid"]?.text ?? "")&Code=\(code)"
    try twilio("VerificationCheck", check)
    try twilio("VerificationCheck", check)

    #expect(try changes() == ["Start a new verification: a code is accepted once."])
  }

  @Test("54.4: a field after a wrong one is not called misspelt")
  func afterWrongField() throws {
    _ = try agent.call(
      "send_request",
      #"{"method":"POST","target":"/prelude/v2/verification","headers":["Authorization: Bearer \#(preludeKey())"],"body":{"target":{"type":"phone","value":"+12025550100"}}}"#
    )

    let explained = try agent.document("explain_request")
    #expect(explained["why"]?.text?.contains("target.type") == true)
    #expect(explained["change"] == nil)
  }

  private func preludeKey() throws -> String {
    let own = try agent.document("show_sandbox", #"{"provider":"prelude"}"#)["providers"]?["prelude"]
    return own?["credentials"]?["apiToken"]?.text ?? ""
  }

  @Test("51.9: what there is to read")
  func reading() throws {
    #expect(try agent.call("read_guide", #"{"page":"providers/twilio"}"#).hasPrefix("# Twilio Verify"))
    #expect(try agent.call("read_guide", #"{"page":"twilio"}"#).hasPrefix("# Twilio Verify"))
    #expect(try agent.call("read_guide", #"{"page":"twillio"}"#).contains(#"did you mean "twilio""#))
    #expect(try agent.call("read_guide", #"{"page":"carier"}"#).contains(#"did you mean "carrier""#))
    let errors = try agent.document("list_errors", #"{"provider":"twilio"}"#)["errors"]?.items ?? []
    #expect(errors.count > 50 && errors.allSatisfy { $0.names == ["code", "status", "text"] })
    let one = try agent.document("list_errors", #"{"provider":"twilio","code":"60202"}"#)["errors"]?.items
    #expect(one?.first?["commands"]?.text?.isEmpty == false)
    let operations = try agent.document("describe_operation")["operations"]?.items ?? []
    #expect(operations.count > 80)
    let some = try agent.document("describe_operation", #"{"contains":"WEBHOOK"}"#)["operations"]?.items ?? []
    #expect(some.contains { $0["name"]?.text == "listWebhooks" } && some.count < 20)
    let clock = try agent.document("describe_operation", #"{"operation":"setClock"}"#)
    #expect(clock["paths"]?.names == ["/control/clock"])
    #expect(clock.encoded().count < 10_000)
  }

  @Test("51.9: a body may be a document")
  func bodies() throws {
    let sent = try agent.document(
      "send_request",
      #"{"method":"POST","target":"/v2/verification","headers":["Content-Type: application/json"],"body":{"a":1}}"#
    )
    #expect(sent["body"]?["message"]?.text?.isEmpty == false)
    _ = try agent.send()
    let listed = try agent.document("list_messages")
    #expect(listed["note"]?.text?.contains("data from outside") == true)
  }

  @Test("a misspelt field is named with the one that was missed")
  func misspelt() throws {
    try twilio("Verifications", "To=%2B12025550100&Chanel=sms")

    #expect(
      try changes().first
        == "Rename the field Chanel: it is read by nobody, and Channel is missing or wrong.")
    #expect(try agent.document("explain_request")["why"]?.text?.hasPrefix("Channel: expected sms") == true)
  }

  @Test("an unread field of an accepted request is named")
  func unread() throws {
    try twilio("Verifications", "To=%2B12025550100&Channel=sms&Loccale=de")

    #expect(try changes().first?.hasPrefix("The field Loccale is read by nobody") == true)
  }

  @Test("a wrong path gets the nearest ones")
  func path() throws {
    try twilio("VerificationChek", "To=%2B12025550100&Code=1")

    #expect(try changes().first?.contains("/VerificationCheck") == true)
  }

  @Test("wrong credentials lead to the right ones")
  func credentials() throws {
    try twilio("Verifications", "To=%2B12025550100&Channel=sms", authorization: "Basic QUM6eA==")

    #expect(try changes().first?.contains("those that show_sandbox has for twilio") == true)
  }

  @Test("a code for another number is found")
  func otherNumber() throws {
    for number in ["100", "101"] { try twilio("Verifications", "To=%2B12025550\(number)&Channel=sms") }
    let code = try agent.call("get_code", #"{"number":"+12025550101"}"#)
    try twilio("VerificationCheck", "To=%2B12025550100&Code=\(code)")

    #expect(try changes().first?.hasPrefix("The code \(code) was sent to +12025550101") == true)
    try twilio("VerificationCheck", "To=%2B12025550101&Code=000000")
    #expect(try changes().count == 1)
  }

  @Test("a failure that is on is the reason")
  func onPurpose() throws {
    _ = try agent.call("fail", #"{"failure":"api-503","provider":"twilio"}"#)
    try twilio("Verifications", "To=%2B12025550100&Channel=sms")

    #expect(try changes() == ["A failure is on in this sandbox. To end it, call repair."])
  }

  @Test("54.14: a failure that is used up needs no repair, and another sandbox's requests are named")
  func usedUpFailure() throws {
    _ = try agent.call("fail", #"{"failure":"api-500","times":1}"#)
    try twilio("Verifications", "To=%2B12025550100&Channel=sms")

    #expect(try changes() == ["The failure has ended. Send the request again."])
    #expect(try agent.document("explain_request")["why"]?.text?.contains("repair") == false)
    _ = try agent.call("start_sandbox", #"{"name":"ci"}"#)
    #expect(
      try agent.call("explain_request", #"{"sandbox":"ci"}"#)
        == "error: no request has reached sandbox ci yet; requests are in default, which sandbox can name")
  }

  @Test("requests are listed in short, the newest first")
  func requests() throws {
    try twilio("Verifications", "To=%2B12025550100&Channel=sms")
    try twilio("Verifications", "To=%2B12025550101&Chanel=sms")

    let found = try agent.document("list_requests")["requests"]?.items ?? []
    #expect(found.map { $0["status"] } == [.integer(400), .integer(201)])
    #expect(found.first?["unread"]?.items == [.string("Chanel")])
    let id = try #require(found.last?["id"]?.text)
    #expect(try changes(#"{"request":"\#(id.split(separator: "_").last ?? "")"}"#) == [])
    #expect(try agent.document("list_requests", #"{"status":201}"#)["requests"]?.items?.count == 1)
  }

  @Test("an agent sends a request as an app does")
  func send() throws {
    let sent = try agent.document(
      "send_request",
      #"{"method":"POST","target":"/things/v1/things","headers":["Content-Type: application/x-www-form-urlencoded"],"body":"to=%2B12025550100"}"#
    )
    #expect(sent["status"] != nil)
    #expect(try agent.call("get_code", #"{"number":"+12025550100"}"#).count == 6)
    #expect(
      try agent.document("send_test_code", #"{"provider":"twilio","number":"+12025550102"}"#)["status"]
        == .integer(201))
  }
}
