import Domain
import HTTP
import Support
import Testing

@Suite("Telesign · PhoneID add-ons", .contract("telesign.md 10.3"))
struct TelesignAddOnTests {
  private static let person =
    #"{"subscribers":[{"number":"+12025550117","email":"ada@example.com","kyc":{"givenName":"Ada","#
    + #""familyName":"Byron","address":"12 St James's Square","streetName":"St James's Square","#
    + #""streetNumber":"12","postalCode":"94105","locality":"San Francisco","region":"CA","country":"US","#
    + #""birthdate":"2008-01-05","idDocument":"X1"}}]}"#

  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func ask(_ addOns: String, of digits: String = "12025550117") throws -> String {
    try telesign.send(.post, "/v1/phoneid/\(digits)", json: #"{"addons":{\#(addOns)}}"#).answer
  }

  @Test("each add-on has its own status; its failure does not fail the look-up")
  func several() throws {
    let exchange = try telesign.send(
      .post, "/v1/phoneid/12025550102", json: #"{"addons":{"sim_swap":{},"bogus":{}}}"#)

    exchange.matches(golden: "add-ons")
    #expect(
      exchange.answer.contains(#""status":{"code":301,"description":"Transaction partially completed""#))
    #expect(
      exchange.answer.contains(
        #""sim_swap":{"status":{"code":2800,"description":"Request successfully completed"},"#
          + #""swap_date":"2026-01-02","swap_time":"10:20:30","risk_indicator":3}"#))
    #expect(
      exchange.answer.contains(
        #""bogus":{"status":{"code":2801,"description":"Invalid request addons parameter"}}"#))
  }

  @Test("if all add-ons succeed, the look-up is complete")
  func complete() throws {
    #expect(try ask(#""sim_swap":{},"porting_status":null"#).contains(#""status":{"code":300,"#))
  }

  @Test("contact returns name and address")
  func contact() throws {
    #expect(
      try ask(#""contact":{}"#).contains(
        #""contact":{"status":{"code":2805,"description":"No contact add-on information for phone number."}}"#
      ))
    try telesign.seed(Self.person)
    let contact: String =
      #""id":"X1","first_name":"Ada","last_name":"Byron","address1":"12 St James's Square","address2":null,"#
      + #""address3":"San Francisco","address4":"94105","city":"San Francisco","state_province":"CA","#
      + #""zip_postal_code":"94105","country":"US","email_address":"ada@example.com","#
      + #""date_of_birth":"2008-01-05"}"#
    #expect(try ask(#""contact":{}"#).contains(contact))
  }

  @Test(
    "contact_plus needs the right postal code",
    arguments: [
      ("{}", 2808), (#"{"billing_postal_code":"94105"}"#, 2800), (#"{"billing_postal_code":"10001"}"#, 2809),
      (#"{"billing_postal_code":1}"#, 2807),
    ])
  func contactPlus(said: String, code: Int) throws {
    try telesign.seed(Self.person)

    #expect(try ask(#""contact_plus":\#(said)"#).contains(#""contact_plus":{"status":{"code":\#(code),"#))
  }

  @Test("contact_match scores the similarity of the fields")
  func contactMatch() throws {
    let match = #""contact_match":{"first_name":"ada","last_name":"Bryon","city":"Oakland"}"#
    #expect(try ask(match).contains(#""contact_match":{"status":{"code":2805,"#))
    try telesign.seed(Self.person)

    let answer = try ask(match)

    #expect(answer.contains(#""first_name_score":100,"last_name_score":60,"address_score":-1,"city_score":"#))
    #expect(try ask(#""contact_match":{}"#).contains(#""code":2808,"#))
  }

  @Test("the age is computed with the sandbox's clock")
  func age() throws {
    try telesign.seed(Self.person)

    #expect(try ask(#""age_verify":{"age_threshold":18}"#).contains(#""age_verified":true"#))
    #expect(try ask(#""age_verify":{"age_threshold":19}"#).contains(#""age_verified":false"#))
    #expect(try ask(#""age_verify":{"age_threshold":18}"#, of: "12025550116").contains(#""code":2805,"#))
    #expect(try ask(#""age_verify":{}"#).contains("age_threshold parameter is missing or empty."))
  }

  @Test(
    "the newer the SIM card, the higher the risk",
    arguments: [
      ("-1h", 4), ("-2d", 3), ("-20d", 2), ("-40d", 1),
    ])
  func simSwap(age: String, indicator: Int) throws {
    try telesign.seed(#"{"subscribers":[{"number":"+12025550117","simSwaps":["-200d","\#(age)"]}]}"#)

    #expect(try ask(#""sim_swap":{}"#).contains(#""risk_indicator":\#(indicator)}"#))
  }

  @Test("a line without a SIM card has no SIM swap")
  func noCard() throws {
    #expect(
      try ask(#""sim_swap":{}"#, of: "12025550112").contains(
        #"{"code":2804,"description":"Phone number not applicable in sim_swap add-on."}"#))
    #expect(
      try ask(#""sim_swap":{}"#).contains(#""swap_date":null,"swap_time":null,"risk_indicator":1}"#))
  }

  @Test("a ported number returns when and from which network")
  func porting() throws {
    let answer = try ask(#""porting_status":{},"porting_history":{"past_x_days":10}"#, of: "12025550105")

    #expect(answer.contains(#""ported":true,"mcc_current":"001","mnc_current":"01"}"#))
    #expect(
      answer.contains(
        #""history":[{"ported_on":"2025-12-26T10:20:30Z","mcc_from":"001","mnc_from":"99","mcc_to":"001","#
          + #""mnc_to":"01"}]"#))
    #expect(
      try ask(#""porting_history":{"past_x_days":9}"#, of: "12025550105").contains(#""history":[]"#))
    #expect(try ask(#""porting_history":{"past_x_days":0}"#).contains(#""code":2807,"#))
  }

  @Test(
    "a number with a new owner since the last verification is reported",
    arguments: [("2025-09-01", true), ("2026-01-01", false)])
  func recycled(day: String, isRecycled: Bool) throws {
    let answer = try ask(#""number_deactivation":{"last_verified":"\#(day)"}"#, of: "12025550108")

    #expect(answer.contains(#""last_deactivated":"2025-10-07T10:20:30Z""#))
    #expect(answer.contains(#""recycled_since_last_verification":\#(isRecycled)}"#))
  }

  @Test(
    "a contract is returned with its age",
    arguments: [("-10d", "0", #""1""#), ("-400d", "12", #""24""#), ("-3000d", "60", "null")])
  func tenure(start: String, least: String, most: String) throws {
    try telesign.seed(
      #"{"subscribers":[{"number":"+12025550117","activatedAt":"\#(start)","contract":"PAYG","suspended":true}]}"#
    )

    let answer = try ask(#""subscriber_status":{}"#)

    #expect(
      answer.contains(
        #""account_type":"individual","account_tenure_min":"\#(least)","account_tenure_max":\#(most),"#
          + #""primary_account_holder":"true","account_status":"suspended","contract_type":"prepaid"}"#))
  }

  @Test("forwarding is reported")
  func forwarding() throws {
    #expect(
      try ask(#""call_forward_detection":{}"#, of: "12025550139").contains(
        #""call_forward_enabled":true,"type":"unconditional","condition":null}"#))
    try telesign.seed(#"{"subscribers":[{"number":"+12025550117","forwarding":["busy","noAnswer"]}]}"#)
    #expect(
      try ask(#""call_forward_detection":{}"#).contains(
        #""call_forward_enabled":true,"type":"conditional","condition":"busy,no_answer"}"#))
  }

  @Test("a breach comes from the record's risk")
  func breach() throws {
    #expect(try ask(#""breached_number_check":{}"#).contains(#""is_breached":false}"#))
    try telesign.seed(
      #"{"subscribers":[{"number":"+12025550117","risk":{"score":700,"reasons":["data breach 2025"]}}]}"#)
    #expect(try ask(#""breached_number_check":{}"#).contains(#""is_breached":true}"#))
  }

  @Test("the IMEI is returned as a hash")
  func device() throws {
    let answer = try ask(#""device_info":{}"#)

    #expect(answer.contains(#""make":"Test equipment","model":"00101301","imei":""#))
    #expect(!answer.contains("001013015501170"))
  }

  @Test("a call is active as long as it lasts")
  func activeCall() throws {
    _ = try telesign.sandbox.messages.submit(
      MessageDraft(
        provider: "telesign", reference: "r", channel: .call, destination: "+12025550117",
        sender: "15550100000",
        text: "Hello", code: nil),
      to: telesign.sandbox.subscribers[#require(PhoneNumber("+12025550117"))])
    try telesign.advance(5)

    #expect(
      try ask(#""active_call_status":{}"#).contains(
        #""is_call_active":true,"call_duration":4,"call_direction":"inbound"}"#))
    try telesign.advance(60)
    #expect(try ask(#""active_call_status":{}"#).contains(#""is_call_active":false,"call_duration":null"#))
  }

  @Test("a disabled add-on fails, and the setting can be reset")
  func disabled() throws {
    try telesign.configure(#""phoneid.disabled_addons":["sim_swap"]"#)
    #expect(
      try ask(#""sim_swap":{}"#).contains(#"{"code":2806,"description":"sim_swap add-on is not enabled."}"#))
    try telesign.configure(#""phoneid.disabled_addons":[]"#)
    #expect(try ask(#""sim_swap":{}"#).contains(#""code":2800,"#))
  }
}
