import Basics
import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Vonage

/// Checks NS5, NS7, NS12 and NS14 of the contract, section 5. The others: Sources/Providers/Vonage/Checks.
@Suite("Vonage · SMS", .contract("senders.md 5"))
struct VonageSMSTests {
  static let secret = VonageWorld.signatureSecret
  static let parameters: [SMSSignature.Parameter] = [
    ("api_key", "abcd1234"), ("from", "Acme"), ("text", "Code 482913 a&b=c"), ("timestamp", "1900000000"),
    ("to", "12025550100"),
  ]

  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  @Test(
    "signatures",
    arguments: [
      (.md5hash, "68d5b747feb8894cf30f4a13f669ff3d"), (.md5, "1f76ea3668363948ef81b4068fb207ea"),
      (.sha1, "6dce59bae1fd04683aead5648b486269f58b83f7"),
      (.sha256, "80413536c2489d331c6dd030e811b164840b01b8d71671cc48cdf7bcdbaab36c"),
      (
        .sha512,
        "20b665529f6fe78d6b7615831b14440c8b25a3cdee875977e901cab08d74951d"
          + "540f52595e871a24b942d951a1fe68d05288a81e684682a9e29e1341944c8cf5"
      ),
    ] as [(SMSSignature.Method, String)])
  func vectors(_ method: SMSSignature.Method, _ signature: String) {
    #expect(SMSSignature.sign(Self.parameters, by: method, secret: Self.secret) == signature)
  }

  @Test(
    "NS5: each method is accepted, in either letter case, and no other text",
    arguments: SMSSignature.Method.allCases)
  func ns5(_ method: SMSSignature.Method) throws {
    try vonage.seed(#"{"vonage":{"settings":{"signatureMethod":"\#(method.rawValue)"}}}"#)
    #expect(try status(signedBy: method) == "0")
    #expect(try status(signedBy: method) { $0.uppercased() } == "0")
    #expect(try status(signedBy: method) { String($0.dropLast()) } == "14")
    #expect(try status(signedBy: method, secret: "another") == "14")
    #expect(
      try why()
        == "wrong signature in sig: not the signature of these parameters with the account's signature secret"
    )
  }

  @Test("NS7: the reason names the client's mistake")
  func ns7() throws {
    let known = try parameters()
    let names = ["sig", "ttl", "type", "client-ref"]
    let others = [
      "status-report-req", "callback", "message-class", "body", "udh", "protocol-id", "account-ref",
      "entity-id", "content-id", "trusted-number",
    ]
    let unset = (names + others).map { (name: $0, value: "None") }
    let none = SMSSignature.sign(known + unset, by: .md5, secret: Self.secret)
    #expect(try status(sending: known, none) == "14")
    #expect(
      try why()
        == "wrong signature in sig: unset parameters are signed as None, but not sent, as version 4 of the "
        + "Python SDK does; signed by md5, and the setting signatureMethod is md5hash")
    #expect(try status(signedBy: .sha256) == "14")
    #expect(
      try why() == "wrong signature in sig: signed by sha256, and the setting signatureMethod is md5hash")
    #expect(try status(signedBy: .md5hash, secret: VonageWorld.secret) == "14")
    #expect(
      try why() == "wrong signature in sig: it is made with the API secret instead of the signature secret")
    let encoded = known.map { (name: $0.name, value: PercentCoding.encode($0.value)) }
    #expect(
      try status(sending: known, SMSSignature.sign(encoded, by: .md5hash, secret: Self.secret)) == "14")
    #expect(try why() == "wrong signature in sig: values are signed URL-encoded")
  }

  @Test("NS12: receipts are signed over all members", arguments: SMSWebhook.Method.allCases)
  func ns12(_ method: SMSWebhook.Method) throws {
    try vonage.seed(
      """
      {"vonage":{"settings":{"signWebhooks":true,"signatureMethod":"sha256",
        "deliveryUrl":"\(VonageWorld.receiver)","smsWebhookMethod":"\(method.rawValue)"}}}
      """)
    try send()
    try vonage.advance(1)
    vonage.world.sendWebhooks()

    let delivery = try #require(vonage.world.receiver.deliveries.first)
    let members: [SMSSignature.Parameter] =
      switch method {
      case .json:
        try Fields(delivery.request.body).names.map { name in
          (name, try Fields(delivery.request.body).string(name))
        }
      case .form: try Form(parsing: delivery.request.body).pairs.map { ($0.name, $0.value) }
      case .query:
        try Form(parsing: Array(delivery.url.drop { $0 != "?" }.dropFirst().utf8)).pairs
          .map { ($0.name, $0.value) }
      }
    let signed = members.filter { $0.name != "sig" }
    let signature = SMSSignature.sign(signed, by: .sha256, secret: Self.secret).uppercased()
    #expect(members.last?.value == signature)
    #expect(
      members.map(\.name) == [
        "msisdn", "to", "network-code", "messageId", "price", "status", "scts", "err-code", "api-key",
        "client-ref", "message-timestamp", "timestamp", "nonce", "sig",
      ])
    #expect(delivery.request.method.rawValue == (method == .query ? "GET" : "POST"))
  }

  @Test("NS14: a receipt is repeated until it is acknowledged")
  func ns14() throws {
    try vonage.seed(#"{"vonage":{"settings":{"deliveryUrl":"\#(VonageWorld.receiver)"}}}"#)
    vonage.world.receiver.answer = .answered(status: 500, body: "")
    try send()
    try vonage.advance(1)
    vonage.world.sendWebhooks()
    try vonage.advance(60)
    vonage.world.sendWebhooks()
    #expect(vonage.world.receiver.deliveries.count == 2)
    vonage.world.receiver.answer = .answered(status: 200, body: "")
    try vonage.advance(119)
    vonage.world.sendWebhooks()
    #expect(vonage.world.receiver.deliveries.count == 2)
    try vonage.advance(1)
    vonage.world.sendWebhooks()
    #expect(vonage.world.receiver.deliveries.map(\.body).count == 3)
    #expect(Set(vonage.world.receiver.deliveries.map(\.body)).count == 1)
    try vonage.advance(86_400)
    vonage.world.sendWebhooks()
    #expect(vonage.world.receiver.deliveries.count == 3)
  }

  @Test("a webhook by hand has the account's form and signature")
  func forged() throws {
    try vonage.seed(#"{"vonage":{"settings":{"signWebhooks":true,"smsWebhookMethod":"GET"}}}"#)
    let body = try JSON(parsing: Array(#"{"status":"failed"}"#.utf8))
    let made = try VonageProvider.request(
      sending: body, of: "sms_receipt", to: VonageWorld.receiver, in: vonage.sandbox)
    #expect(made.url.hasPrefix("\(VonageWorld.receiver)?status=failed&timestamp="))
    #expect(made.request.method == .get)
  }

  @Test(
    "an outage has an HTTP status too",
    arguments: [
      (.get, "/vonage/sms/json"), (.post, "/vonage/sms/json"), (.get, "/vonage/sc/us/2fa/json"),
      (.post, "/vonage/sc/us/2fa/json"),
    ] as [(HTTP.Method, String)])
  func outage(method: HTTP.Method, path: String) throws {
    try vonage.seed(#"{"faults":[{"provider":"vonage","status":503}]}"#)
    let exchange = try vonage.world.send(Request(method, Target(path), headers: ["Host": "127.0.0.1:5550"]))
    #expect(exchange.answer.hasPrefix("503"))
    exchange.matches(golden: "outage")
  }

  // MARK: Requests

  /// Signed at the sandbox's time.
  private func parameters() throws -> [SMSSignature.Parameter] {
    let time = String(vonage.sandbox.clock.now.unixSeconds)
    return Self.parameters.map { ($0.name, $0.name == "timestamp" ? time : $0.value) }
  }

  private func status(
    signedBy method: SMSSignature.Method, secret: String = Self.secret,
    _ change: (String) -> String = { $0 }
  ) throws -> String {
    let parameters = try parameters()
    return try status(
      sending: parameters, change(SMSSignature.sign(parameters, by: method, secret: secret)))
  }

  private func status(sending parameters: [SMSSignature.Parameter], _ signature: String) throws -> String {
    let form = (parameters + [("sig", signature)]).map {
      "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))"
    }
    let exchange = try vonage.world.send(
      .to("/vonage/sms/json?\(form.joined(separator: "&"))"))
    return try Fields(exchange.body).objects("messages")[0].string("status")
  }

  private func send() throws {
    let own = "api_key=\(VonageWorld.key)&api_secret=\(VonageWorld.secret)"
    let exchange = try vonage.world.send(
      .to("/vonage/sms/json?\(own)&to=12025550100&from=Acme&text=482913&client-ref=r1"))
    #expect(exchange.answer.hasPrefix("200"))
  }

  private func why() throws -> String? {
    let journal = try vonage.world.send(.to("/control/journal?provider=vonage"))
    return try Fields(journal.body).objects("requests").last?.optionalString("why")
  }
}
