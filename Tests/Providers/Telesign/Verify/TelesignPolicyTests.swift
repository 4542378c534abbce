import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Verify API: policies", .contract("telesign.md 4.3"))
struct TelesignPolicyTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test(
    "an invalid policy is rejected, and the journal says what was expected",
    arguments: [
      ("", "one to three methods"),
      (
        #"{"method":"sms"},{"method":"voice"},{"method":"viber"},{"method":"whatsapp"}"#,
        "one to three methods"
      ),
      (#"{"method":"sms"},{"method":"sms"}"#, "each method once"),
      (#"{"method":"sms"},{"method":"silent"}"#, "in the first place"),
      (
        #"{"method":"push"},{"method":"silent"},{"method":"sms"}"#,
        "silent, push or stamp in the first place only"
      ),
      (#"{"method":"silent"}"#, "followed by a method that sends a code"),
      (#"{"method":"sms","fallback_time":29}"#, "30 seconds or more"),
      (
        #"{"method":"sms","fallback_time":151},{"method":"voice","fallback_time":150}"#,
        "at most 300 seconds in total"
      ),
      (
        #"{"method":"sms","fallback_time":9223372036854775807},{"method":"voice","fallback_time":9223372036854775807}"#,
        "at most 300 seconds in total"
      ),
      (
        #"{"method":"sms","fallback_time":9223372036854775807},{"method":"voice","fallback_time":30}"#,
        "at most 300 seconds in total"
      ),
      (
        #"{"method":"sms","fallback_time":9223372036854775807},{"method":"voice"}"#,
        "at most 300 seconds in total"
      ),
      (#"{"method":"sms","fallback_time":-9223372036854775808}"#, "30 seconds or more"),
      (#"{"method":"sms","fallback_time":1e300}"#, "an integer"),
      (#"{"method":"sms","fallback_time":280},{"method":"voice"}"#, "30 or more for each"),
      (#"{"method":"pigeon"}"#, "one of silent, push"),
      (#"{"fallback_time":60}"#, "a string"),
      (#"{"method":"sms","fallback_time":"60"}"#, "an integer"),
      (#""sms""#, "an object"),
      (#"{"method":"push"},{"method":"sms"}"#, "the method push needs it"),
    ])
  func broken(policy: String, expected: String) throws {
    let refused = try telesign.create(#","verification_policy":[\#(policy)]"#)

    #expect(try refused.statusAndCode() == "400 3110")
    #expect(refused.why?.contains(expected) == true, "\(refused.why ?? "-")")
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
  }
}
