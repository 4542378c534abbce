// Failures of texts, messages of apps, and calls.

extension FailureGroup {
  static let texts = FailureGroup(
    "Texts", .sms,
    [
      text("late", "Late", "It arrives after 20 seconds.", "slow", more: #","afterMs":20000"#, ending: "51"),
      text(
        "too-late", "Too late", "It arrives when its code is no longer valid.", "slow",
        more: #","afterMs":900000"#),
      text(
        "lost", "Lost", "It does not arrive, and the carrier says so: no such subscriber.", "undeliverable",
        ending: "30"),
      text(
        "network-error", "Lost in the network", "The carrier reports a system failure.", "undeliverable",
        more: #","err":34"#),
      text(
        "busy", "Handset is busy", "The handset takes no texts at the moment.", "undeliverable",
        more: #","err":31"#),
      text(
        "expired", "Expired", "The carrier gives up after five seconds.", "absent", more: #","afterMs":5000"#),
      text(
        "no-receipt", "No receipt", "It arrives, but the provider gets no receipt.", "noReceipt", ending: "31"
      ),
      text(
        "false-receipt", "Lost, but reported as delivered", "It does not arrive; the receipt says delivered.",
        "lostButDelivrd"),
      text(
        "receipt-first", "Receipt comes first", "The receipt arrives before the carrier accepts the text.",
        "receiptFirst"),
      text("twice", "Arrives twice", "The handset shows it twice.", "duplicate"),
      text(
        "out-of-order", "Out of order", "It arrives after the next text, or after a minute.", "outOfOrder",
        more: #","times":1"#),
      text("garbled", "Garbled", "It shows question marks instead of digits.", "garbled"),
      text("truncated", "Cut off", "It ends in the middle of its code.", "truncated"),
      text("wrong-encoding", "Wrong encoding", "Its bytes are read as UCS-2: unreadable.", "wrongEncoding"),
      text(
        "segment-lost", "A part is lost", "A long text arrives without the part with the code.", "segmentLost"
      ),
      text("old-code", "Old code", "It shows a code that is not valid any more.", "oldCode"),
      text("filtered", "Taken for spam", "The carrier's filter rejects it.", "filtered", ending: "34"),
      text("memory-full", "Memory is full", "The handset has no room for it.", "memoryFull", ending: "53"),
      text("blocked", "Blocked", "The person or the line blocks the sender.", "reject", ending: "56"),
      text(
        "not-provisioned", "No texts on this line", "The line has no service for texts.", "reject",
        more: #","err":11"#),
      text(
        "throttled", "Carrier throttles", "The carrier takes no more texts at the moment.",
        "submitFail:throttled"),
      text(
        "queue-full", "Carrier's queue is full", "The carrier does not accept it.", "submitFail:queueFull"),
      text("carrier-fault", "Carrier fails", "The carrier does not accept it.", "submitFail:systemError"),
      text(
        "bad-destination", "Carrier finds the number malformed", "The carrier does not accept it.",
        "submitFail:invalidDestination"),
      text(
        "refused", "Carrier refuses", "The carrier does not accept it, and gives no reason.",
        "submitFail:refused"),
      text(
        "delivery-failure", "Carrier cannot deliver", "The carrier does not accept it.",
        "submitFail:deliveryFailure"),
      text(
        "network-down", "Network is down", "The operator's network fails; texts wait until it is back.",
        "networkDown"),
      Failure(
        "text-handset-off", "Switched off", "The handset has no network; texts wait until it is back.",
        .event(#"{"event":"detach"}"#), number: "+12025550152", repair: .event(#"{"event":"attach"}"#)),
      Failure(
        "text-landline", "Landline", "The line takes calls, but no texts.",
        .record(#"{"lineType":"landline"}"#),
        number: "+12025550112", repair: .record(#"{"lineType":"mobile"}"#)),
      Failure(
        "text-deactivated", "Out of service", "The number has no holder any more.",
        .event(#"{"event":"deactivate"}"#), number: "+12025550132"),
      Failure(
        "text-suspended", "Suspended", "The network has suspended the line.", .record(#"{"suspended":true}"#),
        repair: .record(#"{"suspended":false}"#)),
      Failure(
        "text-barred", "Barred", "The line is barred from texts.", .record(#"{"barring":["smsIn"]}"#),
        number: "+12025550156", repair: .record(#"{"barring":[]}"#)),
      Failure(
        "text-opted-out", "Opted out", "The person has replied STOP, or has it on record.",
        .record(#"{"optOut":["*"]}"#), number: "+12025550154", repair: .record(#"{"optOut":[]}"#)),
    ])

  static let apps = FailureGroup(
    "Messages of WhatsApp and other apps", .whatsapp,
    [
      app("not-capable", "No such app", "The number does not have the app.", "notCapable"),
      app("failed", "App's network fails", "The channel's own system fails.", "fail"),
      app("lost", "Lost", "It does not arrive, and the network says so.", "undeliverable"),
      app("late", "Late", "It arrives after a minute.", "slow", more: #","afterMs":60000"#),
      app("no-receipt", "No receipt", "It arrives, but the provider gets no receipt.", "noReceipt"),
      app("blocked", "Blocked", "The person blocks the sender.", "reject"),
      Failure(
        "app-offline", "Offline", "The handset has no data; messages wait until it is back.",
        .record(#"{"reach":{"data":false}}"#), repair: .record(#"{"reach":{"data":true}}"#)),
    ])

  static let calls = FailureGroup(
    "Calls", .call,
    [
      call("busy", "Busy", "The line is busy.", "busy"),
      call("no-answer", "Nobody answers", "It rings until it ends.", "noAnswer"),
      call("declined", "Declined", "The person declines it.", "decline"),
      call("voicemail", "A machine answers", "It reaches voicemail.", "voicemail", ending: "36"),
      call("hung-up", "Hung up", "The person hangs up before the code is read.", "answerHangup"),
      call("unreachable", "Handset is off", "The network cannot reach the handset.", "unreachable"),
      call(
        "no-key", "No key is pressed", "The person presses no key when asked for one.", "answer",
        more: #","keys":"""#),
      call("lost", "No such subscriber", "The carrier knows no such number.", "undeliverable"),
      call("blocked", "Blocked", "The person or the line blocks the caller.", "reject"),
      call("refused", "Carrier refuses", "The carrier does not accept it.", "submitFail:refused"),
      Failure(
        "call-barred", "Barred", "The line is barred from calls.", .record(#"{"barring":["voiceIn"]}"#),
        repair: .record(#"{"barring":[]}"#)),
    ])

  private static func text(
    _ id: String, _ name: String, _ effect: String, _ outcome: String, more: String = "",
    ending: String? = nil
  ) -> Failure {
    .scenario("text-\(id)", name, effect, over: .sms, outcome, more: more, ending: ending)
  }

  private static func app(
    _ id: String, _ name: String, _ effect: String, _ outcome: String, more: String = ""
  ) -> Failure {
    .scenario("app-\(id)", name, effect, over: .whatsapp, outcome, more: more)
  }

  private static func call(
    _ id: String, _ name: String, _ effect: String, _ outcome: String, more: String = "",
    ending: String? = nil
  ) -> Failure {
    .scenario("call-\(id)", name, effect, over: .call, outcome, more: more, ending: ending)
  }
}
