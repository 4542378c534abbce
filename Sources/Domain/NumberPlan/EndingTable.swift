package import Basics
package import Numbers

/// The last two digits of a fictional number choose its behaviour. Source: `carrier.md` 4.6.
///
/// The fictional numbers are +1 NPA 555 01xx and +33 6 39 98 xx xx. This runs at every verification of a
/// number without a record, so it only calculates.
enum EndingTable {
  /// The last two digits; nil unless the number is fictional.
  static func ending(of number: PhoneNumber) -> Int? { ending(ofDigits: number.digits) }

  static func ending(ofDigits digits: Int) -> Int? {
    let areaCode = digits / 10_000_000 - 1000
    let isAmerican = (200...999).contains(areaCode) && areaCode != 800 && digits / 100 % 100_000 == 55_501
    return isAmerican || digits / 10_000 == 3_363_998 ? digits % 100 : nil
  }

  /// Changes a line without problems as its ending says.
  static func apply(_ ending: Int, to line: inout Subscriber) {
    line.coversSilent = coversSilent(ending)
    if line.number.description.utf8.dropFirst().first == UInt8(ascii: "3") { moveToFrance(&line) }
    switch ending {
    case 2, 5, 8, 32, 60...69: applyHistory(ending, to: &line)
    case 12: line.become(.landline)
    case 37...39, 46, 52, 54...56: applyState(ending, to: &line)
    case 45:
      line.operatorName = FictionalOperator.wrenMobile.rawValue
      line.mnc = "99"
    default: line.scenarios = scenarios(ending)
    }
  }

  /// True if the operator supports silent verification, even if it fails.
  private static func coversSilent(_ ending: Int) -> Bool {
    switch ending {
    case 0...9, 38, 40...44, 46, 99: true
    default: false
    }
  }

  /// The covered French operator is 208/01; 208/99 is fictional. Source: `carrier.md` 4.6.
  private static func moveToFrance(_ line: inout Subscriber) {
    line.mcc = "208"
    if line.coversSilent { return }
    line.mnc = "99"
    line.operatorName = FictionalOperator.wrenMobile.rawValue
  }

  private static func applyHistory(_ ending: Int, to line: inout Subscriber) {
    switch ending {
    case 2: line.simSwaps = [line.start - .days(3)]
    case 5:
      line.explicitOriginalMNC = "99"
      line.ported = true
      line.portedAt = line.start - .days(10)
    case 8:
      line.explicitPeriods = [
        SubscriberPeriod(from: line.activatedAt, to: line.start - .days(90)),
        SubscriberPeriod(from: line.start - .days(30)),
      ]
      line.explicitActivation = line.start - .days(30)
    case 32: line.deactivatedAt = line.start - .days(5)
    default: line.deviceSwaps = [line.start - .seconds(3600)]
    }
  }

  private static func applyState(_ ending: Int, to line: inout Subscriber) {
    switch ending {
    case 37:
      let isFrench = line.mcc == "208"
      line.roaming.isOn = true
      line.roaming.mcc = isFrench ? "262" : "208"
      line.roaming.countries = [isFrench ? "DE" : "FR"]
    case 38: line.explicitSession.isOn = false
    case 39: line.forwarding = [.unconditional]
    case 46: line.consent[Consent.anyPurpose] = .denied
    case 52:
      line.reach.sms = false
      line.reach.data = false
      line.explicitSession.isOn = false
    case 54: line.optOut = [Subscriber.anySender]
    case 55: line.become(.nonFixedVoip)
    default: line.barring = [.smsIn]
    }
  }

  private static func scenarios(_ ending: Int) -> [Scenario] {
    switch ending {
    case 30: [Scenario("undeliverable")]
    case 31: [Scenario("noReceipt")]
    case 33: [Scenario("submitFail:throttled", times: 1)]
    case 34: [Scenario("filtered")]
    case 35: [Scenario("busy", times: 1)]
    case 36: [Scenario("voicemail")]
    case 40: [Scenario("mismatch")]
    case 41: [Scenario("carrierError")]
    case 42: [Scenario("timeout")]
    case 43: [Scenario("garbage")]
    case 44: [Scenario("loop")]
    case 51: [Scenario("slow", after: .seconds(20))]
    case 53: [Scenario("memoryFull")]
    case 99: [Scenario("carrierError"), Scenario("undeliverable", error: 34)]
    default: []
    }
  }
}

/// The last digits of a number with the unassigned country code 990 choose its behaviour. Source:
/// `carrier.md` 4.3.
enum DigitRule {
  static func applies(to number: PhoneNumber) -> Bool { number.description.utf8.starts(with: "+990".utf8) }

  /// Even: match. Odd: another SIM card answers. 99: the network fails. The SIM card was swapped 500 h ago.
  static func apply(to line: inout Subscriber) {
    line.coversSilent = true
    line.simSwaps = [line.start - .seconds(500 * 3600)]
    let digits = line.number.description.utf8.suffix(2)
    if digits.elementsEqual("99".utf8) {
      line.scenarios = [Scenario("carrierError"), Scenario("undeliverable")]
    } else if let last = digits.last, !last.isMultiple(of: 2) {
      line.scenarios = [Scenario("mismatch")]
    }
  }
}

extension Subscriber {
  /// The subscriber of a number without a record: set by its ending or the digit rule, else a line without
  /// problems, of the kind that the numbering plan says. Source: `carrier.md` 4.3, precedence 4 to 6.
  package init(unrecorded number: PhoneNumber, since start: Timestamp) {
    self.init(happyLineOf: number, since: start)
    if let ending = EndingTable.ending(of: number) {
      EndingTable.apply(ending, to: &self)
    } else if DigitRule.applies(to: number) {
      DigitRule.apply(to: &self)
    } else if let type = PublicNumberingPlan.world.lineType(of: number), type != .mobile {
      become(type)
    }
  }

  /// Only mobile operators support silent verification.
  fileprivate mutating func become(_ type: LineType) {
    lineType = type
    coversSilent = false
    operatorName =
      switch type {
      case .mobile, .personal, .pager, .unknown: FictionalOperator.sandpiperMobile.rawValue
      case .fixedVoip, .nonFixedVoip: FictionalOperator.sandpiperVoice.rawValue
      case .landline, .tollFree, .premium, .sharedCost, .voicemail, .uan:
        FictionalOperator.sandpiperFixed.rawValue
      }
  }
}

extension Duration {
  fileprivate static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
