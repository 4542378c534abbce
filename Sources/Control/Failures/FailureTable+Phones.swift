// Failures of silent verifications, pushes and passkeys, and what can be wrong with a line.

extension FailureGroup {
  static let silent = FailureGroup(
    "Silent verification", .silent,
    [
      silent(
        "mismatch", "Another SIM card", "The operator finds another number than the claimed one.",
        ending: "40"),
      silent("notMobile", "Not over mobile data", "The operator cannot recognise the handset."),
      silent("noCoverage", "No coverage", "The operator does not support it."),
      silent("carrierError", "The gateway fails", "The operator answers 503.", ending: "41"),
      silent("timeout", "The gateway hangs", "The operator answers after a minute.", ending: "42"),
      silent("garbage", "The gateway answers HTML", "The operator answers with an unrelated page."),
      silent("loop", "Endless redirects", "The operator redirects in a circle.", ending: "44"),
      silent("userDenied", "Consent refused", "The person does not agree."),
      Failure(
        "silent-wifi", "Over Wi-Fi", "The handset's traffic comes through Wi-Fi.",
        .record(#"{"interference":"wifi"}"#), repair: .record(#"{"interference":"none"}"#)),
      Failure(
        "silent-vpn", "Through a VPN", "A VPN hides the operator's network.",
        .record(#"{"interference":"vpn"}"#), repair: .record(#"{"interference":"none"}"#)),
      Failure(
        "silent-no-data", "No data session", "Mobile data is off.", .record(#"{"session":{"on":false}}"#),
        repair: .record(#"{"session":{"on":true}}"#)),
      Failure(
        "silent-never-opened", "Never opened", "The app does not open the URL.",
        .manual("Do not open it.")),
    ])

  static let pushes = FailureGroup(
    "Pushes", .push,
    [
      push("lost", "Lost", "The gateway accepts it, but it does not arrive.", "lostButDelivrd"),
      push("late", "Late", "It arrives after a minute.", "slow", more: #","afterMs":60000"#),
      push("twice", "Twice", "The phone shows it twice.", "duplicate"),
      push(
        "expired", "Shown after its expiry", "It arrives after ten minutes, when the sign-in is over.",
        "shownExpired"),
      Failure(
        "push-offline", "Offline", "The phone has no data; pushes wait until it is back.",
        .record(#"{"reach":{"data":false}}"#), repair: .record(#"{"reach":{"data":true}}"#)),
      Failure(
        "push-denied", "Denied", "The person denies every request.", .record(#"{"pushes":"deny"}"#),
        repair: .record(#"{"pushes":"manual"}"#)),
      Failure(
        "push-ignored", "Ignored", "The person does not answer.", .record(#"{"pushes":"ignore"}"#),
        repair: .record(#"{"pushes":"manual"}"#)),
      Failure(
        "push-wrong-key", "Stolen key", "The app approves with another key than the registered one.",
        .request("POST", "/control/devices/{number}/approve", #"{"fault":"wrongKey"}"#)),
      Failure(
        "push-answered-twice", "Approved twice", "The app approves a request that was answered before.",
        .manual(#"Approve, then POST /control/devices/{number}/approve {"fault":"late"}."#)),
      Failure(
        "push-answered-late", "Approved too late", "The app approves a request that has expired.",
        .manual(
          #"Move the clock by 20 minutes, then POST /control/devices/{number}/approve {"fault":"late"}."#)),
      Failure(
        "push-wrong-clock", "Clock is wrong", "The phone's clock is an hour ahead.",
        .request("PUT", "/control/devices/{number}", #"{"clockOffsetSeconds":3600}"#),
        repair: .request("PUT", "/control/devices/{number}", #"{"clockOffsetSeconds":0}"#)),
      Failure(
        "push-reinstalled", "App reinstalled",
        "The key of the old app is gone, and its token is not registered any more.",
        .manual(
          "Register the app again: POST /control/devices. The token alone: POST /control/devices/latest/rotate, "
            + #"or PUT /control/devices/latest {"state":"unregistered"}."#)),
      Failure(
        "push-no-biometrics", "Biometrics fail", "The app cannot use its key.",
        .request("PUT", "/control/devices/{number}", #"{"condition":"biometricsFailed"}"#),
        repair: .request("PUT", "/control/devices/{number}", #"{"condition":null}"#)),
    ])

  static let passkeys = FailureGroup(
    "Passkeys", .passkey,
    [
      passkey(
        "wrong-origin", "Wrong origin", "The page has another address: phishing.", "Sign on another origin."),
      passkey(
        "wrong-party", "Wrong relying party", "The passkey belongs to another site.",
        "Sign with the hash of another domain."),
      passkey(
        "unverified", "Person is not verified", "No fingerprint, face or PIN, although it is required.",
        "Sign without the flag UV."),
      passkey(
        "absent", "Nobody is there", "Nobody has touched the authenticator.", "Sign without the flag UP."),
      passkey("stolen", "Wrong key", "The signature is not of the registered key.", "Sign with another key."),
      passkey(
        "unknown", "Unknown passkey", "It was never registered, or was removed.", "Name another credential."),
      passkey(
        "cloned", "Counter goes back", "The passkey was copied: its counter is lower than before.",
        "Sign with a lower counter."),
      passkey(
        "old-challenge", "Old challenge", "The app signs a different challenge.", "Sign another challenge."),
      Failure(
        "passkey-expired", "Expired", "The answer comes when the challenge has expired.",
        .request("POST", "/control/clock", #"{"advance":"30m"}"#)),
      passkey("used", "Used twice", "The challenge was approved before.", "Send the same answer again."),
      passkey("canceled", "Canceled", "The person closes the dialog, so no answer comes.", "Do not answer."),
    ])

  static let lines = FailureGroup(
    "The line", .lookup,
    [
      Failure(
        "line-sim-swapped", "SIM swapped", "A new SIM card has the number now.",
        .event(#"{"event":"simSwap"}"#), number: "+12025550102"),
      Failure(
        "line-ported", "Ported", "The number has moved to another network.", .event(#"{"event":"port"}"#)),
      Failure(
        "line-recycled", "Recycled", "The number has another holder now.", .event(#"{"event":"recycle"}"#),
        number: "+12025550108"),
      Failure(
        "line-deactivated", "Out of service", "The number has no holder any more.",
        .event(#"{"event":"deactivate"}"#), number: "+12025550132"),
      Failure(
        "line-roaming", "Roaming", "The handset is in another country.", .event(#"{"event":"roam"}"#),
        number: "+12025550137", repair: .record(#"{"roaming":{"on":false}}"#)),
      Failure(
        "line-forwarding", "Calls are forwarded", "All calls go to another number.",
        .record(#"{"forwarding":["unconditional"]}"#), number: "+12025550139",
        repair: .record(#"{"forwarding":[]}"#)),
      Failure(
        "line-device-changed", "New handset", "The SIM card moved to another handset an hour ago.",
        .record(#"{"deviceSwaps":["-1h"]}"#), number: "+12025550160", repair: .record(#"{"deviceSwaps":[]}"#)),
      Failure(
        "line-landline", "Landline", "The number is a landline.", .record(#"{"lineType":"landline"}"#),
        number: "+12025550112", repair: .record(#"{"lineType":"mobile"}"#)),
      Failure(
        "line-voip", "Voice over IP", "A number of an internet service.",
        .record(#"{"lineType":"non_fixed_voip"}"#), number: "+12025550155",
        repair: .record(#"{"lineType":"mobile"}"#)),
      Failure(
        "line-toll-free", "Toll-free", "A number that costs its callers nothing.",
        .record(#"{"lineType":"toll_free"}"#), repair: .record(#"{"lineType":"mobile"}"#)),
      Failure(
        "line-prepaid", "Prepaid", "A line without a contract.", .record(#"{"contract":"PAYG"}"#),
        repair: .record(#"{"contract":"PAYM"}"#)),
      Failure(
        "line-risky", "High risk", "The number is known for fraud.",
        .record(#"{"risk":{"score":950}}"#), repair: .record(#"{"risk":null}"#)),
      Failure(
        "line-other-person", "Another person", "The line's holder has another name.",
        .record(#"{"kyc":{"givenName":"Somebody","familyName":"Else"}}"#)),
      Failure(
        "line-impossible", "Impossible number", "No country has such a number.", .manual("Use +12025550.")),
    ])

  private static func push(
    _ id: String, _ name: String, _ effect: String, _ outcome: String, more: String = ""
  ) -> Failure {
    .scenario("push-\(id)", name, effect, over: .push, outcome, more: more)
  }

  private static func passkey(
    _ id: String, _ name: String, _ effect: String, _ action: String
  ) -> Failure {
    Failure("passkey-\(id)", name, effect, .manual(action))
  }

  private static func silent(_ outcome: String, _ name: String, _ effect: String, ending: String? = nil)
    -> Failure
  {
    let id = outcome.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
    return .scenario("silent-\(id)", name, effect, over: .silent, outcome, ending: ending)
  }
}
