package import JSON

/// The record as seeds, the control API and the database have it. Source: `carrier.md` 4.2.
extension Subscriber {
  /// Changes what `fields` name, and leaves the rest. `null` takes back what a line may be without; elsewhere
  /// it is as if the member were not there.
  package mutating func merge(_ fields: Fields) throws(FieldError) {
    _ = try fields.optionalString("number")
    try mergeLine(fields)
    try mergePorting(fields)
    try mergeContract(fields)
    try mergeCard(fields)
    try mergeHandset(fields)
    try mergePerson(fields)
    try mergeAddresses(fields)
  }

  private mutating func mergeLine(_ fields: Fields) throws(FieldError) {
    try fields.replace(&code, "code") { name throws(FieldError) in
      try fields.optionalText(name, expected: "4 to 10 characters") { (4...10).contains($0.utf8.count) }
    }
    lineType = try fields.optionalWord("lineType", of: LineType.self) ?? lineType
    operatorName =
      try fields.optionalText("operator", expected: "1 to 100 characters") {
        (1...100).contains($0.utf8.count)
      } ?? operatorName
    statedCountry = try fields.optionalCountry("country") ?? statedCountry
    if statedCountry == number.country { statedCountry = nil }
    mcc = try fields.optionalDigits("mcc", 3...3) ?? mcc
    mnc = try fields.optionalDigits("mnc", 2...3) ?? mnc
    coversSilent = try fields.optionalBool("coversSilent") ?? coversSilent
  }

  private mutating func mergePorting(_ fields: Fields) throws(FieldError) {
    statedOriginalMCC = try fields.optionalDigits("originalMcc", 3...3) ?? statedOriginalMCC
    if statedOriginalMCC == mcc { statedOriginalMCC = nil }
    statedOriginalMNC = try fields.optionalDigits("originalMnc", 2...3) ?? statedOriginalMNC
    if statedOriginalMNC == mnc { statedOriginalMNC = nil }
    try fields.replace(&portedAt, "portedAt") { name throws(FieldError) in
      try fields.optionalTime(name, since: start)
    }
    ported = try fields.optionalBool("ported") ?? (ported || portedAt != nil)
  }

  private mutating func mergeContract(_ fields: Fields) throws(FieldError) {
    contract = try fields.optionalWord("contract", of: Contract.self) ?? contract
    let usual = Subscriber(happyLineOf: number, since: start).activatedAt
    statedActivation = try fields.optionalTime("activatedAt", since: start) ?? statedActivation
    if statedActivation == usual { statedActivation = nil }
    if let periods = try fields.optionalObjects("subscriberPeriods") {
      statedPeriods = try Self.periods(periods, since: start)
      if statedPeriods == [SubscriberPeriod(from: activatedAt)] { statedPeriods = [] }
    }
    try fields.replace(&deactivatedAt, "deactivatedAt") { name throws(FieldError) in
      try fields.optionalTime(name, since: start)
    }
    suspended = try fields.optionalBool("suspended") ?? suspended
    barring = try fields.optionalWords("barring", of: Barring.self) ?? barring
    forwarding = try fields.optionalWords("forwarding", of: Forwarding.self) ?? forwarding
  }

  private static func periods(
    _ list: [Fields], since start: Timestamp
  ) throws(FieldError) -> [SubscriberPeriod] {
    var periods: [SubscriberPeriod] = []
    for fields in list {
      guard let from = try fields.optionalTime("from", since: start) else {
        throw fields.mismatch("from", expected: Timestamp.forms)
      }
      if let last = periods.last {
        guard let end = last.to, end <= from else {
          throw fields.mismatch("from", expected: "a time after the end of the period before it")
        }
      }
      let to = try fields.optionalTime("to", since: start)
      if let to, to < from { throw fields.mismatch("to", expected: "a time after from") }
      periods.append(SubscriberPeriod(from: from, to: to))
    }
    return periods
  }

  private mutating func mergeCard(_ fields: Fields) throws(FieldError) {
    try fields.replace(&statedIMSI, "imsi") { name throws(FieldError) in
      try fields.optionalDigits(name, 14...15)
    }
    try fields.replace(&statedIMEI, "imei") { name throws(FieldError) in
      try fields.optionalDigits(name, 15...15)
    }
    try fields.replace(&statedICCID, "iccid") { name throws(FieldError) in
      try fields.optionalDigits(name, 18...22)
    }
    if statedIMSI == derivedIMSI { statedIMSI = nil }
    if statedIMEI == derivedIMEI { statedIMEI = nil }
    if statedICCID == derivedICCID { statedICCID = nil }
    simSwaps = try fields.optionalTimes("simSwaps", since: start) ?? simSwaps
    deviceSwaps = try fields.optionalTimes("deviceSwaps", since: start) ?? deviceSwaps
  }

  private mutating func mergeHandset(_ fields: Fields) throws(FieldError) {
    if let reach = try fields.optionalObject("reach") {
      self.reach.sms = try reach.optionalBool("sms") ?? self.reach.sms
      self.reach.data = try reach.optionalBool("data") ?? self.reach.data
    }
    if let roaming = try fields.optionalObject("roaming") {
      self.roaming.isOn = try roaming.optionalBool("on") ?? self.roaming.isOn
      try roaming.replace(&self.roaming.mcc, "mcc") { name throws(FieldError) in
        try roaming.optionalDigits(name, 3...3)
      }
      self.roaming.countries = try roaming.optionalCountries("countries") ?? self.roaming.countries
    }
    if let session = try fields.optionalObject("session") { try merge(session: session) }
    interference = try fields.optionalWord("interference", of: Interference.self) ?? interference
  }

  private mutating func merge(session fields: Fields) throws(FieldError) {
    var session = session
    session.isOn = try fields.optionalBool("on") ?? session.isOn
    try fields.replace(&session.address, "ip") { name throws(FieldError) in
      try fields.optionalAddress(name)
    }
    try fields.replace(&session.port, "port") { name throws(FieldError) in
      try fields.optionalInt(name, in: 1...65_535)
    }
    try fields.replace(&session.natAddress, "natIp") { name throws(FieldError) in
      try fields.optionalAddress(name)
    }
    try fields.replace(&session.natPort, "natPort") { name throws(FieldError) in
      try fields.optionalInt(name, in: 1...65_535)
    }
    self.session = session
  }

  private mutating func mergePerson(_ fields: Fields) throws(FieldError) {
    if let consent = try fields.optionalObject("consent") {
      for purpose in consent.names {
        if let answer = try consent.optionalWord(purpose, of: Consent.Answer.self) {
          self.consent[purpose] = answer
        }
      }
    }
    let known = risk ?? Risk()
    try fields.replace(&risk, "risk") { name throws(FieldError) in
      guard let fields = try fields.optionalObject(name) else { return nil }
      var risk = known
      risk.score = try fields.optionalInt("score", in: 0...1000) ?? risk.score
      risk.reasons = try fields.optionalStrings("reasons") ?? risk.reasons
      return risk
    }
    if let person = try fields.optionalObject("kyc") {
      for trait in Person.Trait.allCases {
        try person.replace(&kyc[trait], trait.rawValue) { name throws(FieldError) in
          try person.optionalString(name)
        }
      }
    }
  }

  private mutating func mergeAddresses(_ fields: Fields) throws(FieldError) {
    whatsapp = try fields.optionalBool("whatsapp") ?? whatsapp
    rcs = try fields.optionalBool("rcs") ?? rcs
    try fields.replace(&pushes, "pushes") { name throws(FieldError) in
      try fields.optionalWord(name, of: Habit.self)
    }
    try fields.replace(&preferredChannel, "preferredChannel") { name throws(FieldError) in
      try fields.optionalWord(name, of: Channel.self)
    }
    try fields.replace(&email, "email") { name throws(FieldError) in
      try fields.optionalText(name, expected: "an email address", where: EmailAddress.isValid)
    }
    optOut = try fields.optionalStrings("optOut") ?? optOut
    if let scenarios = try fields.optionalObjects("scenarios") {
      var own: [Scenario] = []
      for scenario in scenarios { own.append(try Scenario(scenario, of: number)) }
      self.scenarios = own
    }
  }
}

extension Fields {
  /// Puts what a member says in place where it is named; `null` says nothing.
  fileprivate func replace<Value>(
    _ place: inout Value?, _ name: String, read: (String) throws(FieldError) -> Value?
  ) throws(FieldError) {
    if has(name) { place = try read(name) }
  }

  fileprivate func optionalDigits(_ name: String, _ count: ClosedRange<Int>) throws(FieldError) -> String? {
    let words =
      count.count == 1 ? "\(count.lowerBound) digits" : "\(count.lowerBound) to \(count.upperBound) digits"
    return try optionalText(name, expected: words) { count.contains($0.utf8.count) && $0.isDecimal }
  }

  fileprivate func optionalAddress(_ name: String) throws(FieldError) -> String? {
    try optionalText(name, expected: "an IPv4 address such as 127.10.1.1", where: DataSession.isAddress)
  }

  fileprivate func optionalCountry(_ name: String) throws(FieldError) -> String? {
    try optionalText(name, expected: "two letters of ISO 3166-1 such as US", where: Self.isCountry)
  }

  fileprivate func optionalCountries(_ name: String) throws(FieldError) -> [String]? {
    let countries = try optionalStrings(name)
    if let position = countries?.firstIndex(where: { !Self.isCountry($0) }), let found = countries?[position]
    {
      throw FieldError(
        path: "\(path).\(name)[\(position)]", expected: "two letters of ISO 3166-1 such as US",
        found: "\"\(found)\"")
    }
    return countries
  }

  private static func isCountry(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }
}
