package import JSON

extension Subscriber {
  /// Writes the whole record, what was stated and what follows, as the control API has it.
  package func write(to json: inout JSONWriter) {
    json.member("number", number.description)
    writeLine(to: &json)
    writeContract(to: &json)
    writeCard(to: &json)
    writeHandset(to: &json)
    writePerson(to: &json)
  }

  /// The record as it is kept and exported: what differs from what the number would be without one.
  ///
  /// What was stated is named even where it is no other than what follows there: it would follow from something
  /// else here.
  package func difference(from other: Subscriber) -> [JSON.Member] {
    let (mine, others) = (members, other.members)
    return mine.filter { !others.contains($0) || isStated($0.name, otherThan: other) }
  }

  private func isStated(_ name: String, otherThan other: Subscriber) -> Bool {
    func isNew<Value: Equatable>(_ stated: Value?, _ others: Value?) -> Bool {
      stated != nil && stated != others
    }
    return switch name {
    case "originalMcc": isNew(statedOriginalMCC, other.statedOriginalMCC)
    case "originalMnc": isNew(statedOriginalMNC, other.statedOriginalMNC)
    case "imsi": isNew(statedIMSI, other.statedIMSI)
    case "iccid": isNew(statedICCID, other.statedICCID)
    case "subscriberPeriods": !statedPeriods.isEmpty && statedPeriods != other.statedPeriods
    default: false
    }
  }

  private var members: [JSON.Member] {
    guard case .object(let members)? = try? JSON(parsing: JSONWriter.object { write(to: &$0) }) else {
      preconditionFailure("a record is written as an object")
    }
    return members
  }

  private func writeLine(to json: inout JSONWriter) {
    json.member("code", code)
    json.member("lineType", lineType.rawValue)
    json.member("operator", operatorName)
    json.member("country", country)
    json.member("mcc", mcc)
    json.member("mnc", mnc)
    json.member("coversSilent", coversSilent)
    json.member("originalMcc", originalMCC)
    json.member("originalMnc", originalMNC)
    json.member("ported", ported)
    json.member("portedAt", portedAt?.iso8601Exact)
  }

  private func writeContract(to json: inout JSONWriter) {
    json.member("contract", contract.rawValue)
    json.member("activatedAt", activatedAt.iso8601Exact)
    json.array("subscriberPeriods", subscriberPeriods) { json, period in
      json.value {
        $0.member("from", period.from.iso8601Exact)
        $0.member("to", period.to?.iso8601Exact)
      }
    }
    json.member("deactivatedAt", deactivatedAt?.iso8601Exact)
    json.member("suspended", suspended)
    json.member("barring", barring.map(\.rawValue))
    json.member("forwarding", forwarding.map(\.rawValue))
  }

  private func writeCard(to json: inout JSONWriter) {
    json.member("imsi", imsi)
    json.member("imei", imei)
    json.member("iccid", iccid)
    json.member("simSwaps", simSwaps.map(\.iso8601Exact))
    json.member("deviceSwaps", deviceSwaps.map(\.iso8601Exact))
  }

  private func writeHandset(to json: inout JSONWriter) {
    json.object("reach") {
      $0.member("sms", reach.sms)
      $0.member("data", reach.data)
    }
    json.object("roaming") {
      $0.member("on", roaming.isOn)
      $0.member("mcc", roaming.mcc)
      $0.member("countries", roaming.countries)
    }
    json.object("session") {
      $0.member("on", session.isOn)
      $0.member("ip", session.address)
      $0.member("port", session.port)
      $0.member("natIp", session.natAddress)
      $0.member("natPort", session.natPort)
    }
    json.member("interference", interference.rawValue)
  }

  private func writePerson(to json: inout JSONWriter) {
    json.object("consent") {
      for (purpose, answer) in consent.answers { $0.member(named: purpose, answer.rawValue) }
    }
    if let risk {
      json.object("risk") {
        $0.member("score", risk.score)
        $0.member("reasons", risk.reasons)
      }
    } else {
      json.null("risk")
    }
    json.member("whatsapp", whatsapp)
    json.member("rcs", rcs)
    json.member("pushes", pushes?.rawValue)
    json.member("preferredChannel", preferredChannel?.rawValue)
    json.member("email", email)
    json.object("kyc") {
      for trait in Person.Trait.allCases {
        if let value = kyc[trait] { $0.member(named: trait.rawValue, value) }
      }
    }
    json.member("optOut", optOut)
    json.array("scenarios", scenarios) { json, scenario in json.value { scenario.write(to: &$0) } }
  }
}
