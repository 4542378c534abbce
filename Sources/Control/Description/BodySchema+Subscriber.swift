extension BodySchema {
  /// What a subscriber's record holds: name, type, meaning.
  static let subscriberMembers: [(String, String, String)] = line + contract + card + handset + person

  private static let line = [
    ("number", "string", "The number of the path, or none."),
    ("code", "string", "A code that every verification of the number uses; null: none."),
    ("lineType", "string", "mobile, landline, fixed_voip, non_fixed_voip, …"),
    ("operator", "string", "The network's name."), ("country", "string", "ISO 3166-1 alpha-2."),
    ("mcc", "string", "Mobile country code."), ("mnc", "string", "Mobile network code."),
    ("coversSilent", "boolean", "Whether the network answers for silent verification."),
    ("originalMcc", "string", "The country code of the number's first network."),
    ("originalMnc", "string", "The code of the number's first network."),
    ("ported", "boolean", "Whether the number came from another network."),
    ("portedAt", "string", "When it came: a time, a day, or a span back such as -3d."),
  ]

  private static let contract = [
    ("contract", "string", "PAYG, PAYM or Business."),
    ("activatedAt", "string", "When the contract began."),
    ("subscriberPeriods", "[object]", "from, to: who held the number when."),
    ("deactivatedAt", "string", "When the number went out of service; null: it has not."),
    ("suspended", "boolean", "Whether the network has cut the line off for now."),
    ("barring", "[string]", "smsIn, smsOut, voiceIn, voiceOut, data: what is switched off."),
    ("forwarding", "[string]", "unconditional, busy, noAnswer, unreachable: when calls go elsewhere."),
  ]

  private static let card = [
    ("imsi", "string", "The SIM card's identity."), ("imei", "string", "The handset's identity."),
    ("iccid", "string", "The SIM card's number."),
    ("simSwaps", "[string]", "When the SIM card was changed."),
    ("deviceSwaps", "[string]", "When the handset was changed."),
  ]

  private static let handset = [
    ("reach", "object", "sms, data: what reaches the handset."),
    ("roaming", "object", "on, mcc, countries: whether it is abroad."),
    ("session", "object", "on, ip, port, natIp, natPort: its data connection."),
    ("interference", "string", "none, wifi, vpn, tether or relay."),
  ]

  private static let person = [
    ("consent", "object", "granted, denied or unknown by purpose; * is any other."),
    ("risk", "object", "score from 0 to 1000, reasons."),
    ("whatsapp", "boolean", "Whether the number has WhatsApp."),
    ("rcs", "boolean", "Whether the handset takes rich messages."),
    ("pushes", "string", "approve, deny or ignore: what the person does when an app asks; null: it waits."),
    ("preferredChannel", "string", "The channel that reaches the person best."),
    ("email", "string", "The person's email address."), ("kyc", "object", "The fictional person."),
    ("optOut", "[string]", "Senders whose texts are stopped; * is all."),
    ("scenarios", "[object]", "What becomes of messages to this number."),
  ]
}
