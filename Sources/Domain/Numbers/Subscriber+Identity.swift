/// Digits by which a network knows card, handset and session. Those that nobody has stated follow from the
/// number, so that a line of which nothing was said has them too. Source: `carrier.md` 4.2.
extension Subscriber {
  /// The SIM card's identity: country, network and ten digits of the number, 15 digits in all.
  package var imsi: String { statedIMSI ?? derivedIMSI }

  /// The handset's identity: test equipment's allocation 00101301, six digits of the number, a check digit.
  package var imei: String { statedIMEI ?? derivedIMEI }

  /// The SIM card's own number: 89 for telecoms, the network, ten digits of the number, a check digit.
  package var iccid: String { statedICCID ?? derivedICCID }

  /// The data connection.
  package var session: DataSession {
    get {
      var session = statedSession
      session.address = session.address ?? PacketAddresses.address(of: number)
      return session
    }
    set {
      statedSession = newValue
      if newValue.address == PacketAddresses.address(of: number) { statedSession.address = nil }
    }
  }

  var derivedIMSI: String { mcc + mnc + lastDigits(15 - mcc.utf8.count - mnc.utf8.count) }

  var derivedIMEI: String { Self.checked("00101301" + lastDigits(6)) }

  var derivedICCID: String { Self.checked("89" + mcc + mnc + lastDigits(10)) }

  private func lastDigits(_ count: Int) -> String {
    let digits = number.description.dropFirst().suffix(count)
    return String(repeating: "0", count: count - digits.count) + digits
  }

  /// The digits with Luhn's check digit behind them.
  static func checked(_ digits: String) -> String {
    let sum = digits.utf8.reversed().enumerated().reduce(0) { sum, entry in
      let digit = Int(entry.element) - 0x30
      let weighted = entry.offset.isMultiple(of: 2) ? digit * 2 : digit
      return sum + weighted / 10 + weighted % 10
    }
    return digits + String((10 - sum % 10) % 10)
  }
}

/// Loopback addresses that stand for handsets of which nothing was said. Source: `carrier.md` 4.5, C18.
enum PacketAddresses {
  /// `127.10.1.1` for +1 202 555 0100 and so on to 0199, `127.10.16.1` for +33 6 39 98 00 00 and so on to 9999;
  /// nil for other numbers.
  static func address(of number: PhoneNumber) -> String? {
    let text = number.description
    guard text.utf8.count == 12, let last = Int(text.suffix(4)) else { return nil }
    if text.hasPrefix("+120255501") { return "127.10.1.\(last % 100 + 1)" }
    if text.hasPrefix("+3363998") { return "127.10.\(16 + last / 100).\(last % 100 + 1)" }
    return nil
  }

  /// The number that an address of `address(of:)` stands for.
  static func number(at address: String) -> PhoneNumber? {
    let parts = address.split(separator: ".").compactMap { Int($0) }
    guard parts.count == 4, parts[0] == 127, parts[1] == 10, (1...100).contains(parts[3]) else { return nil }
    let ending = String(100 + parts[3] - 1).suffix(2)
    switch parts[2] {
    case 1: return PhoneNumber("+120255501\(ending)")
    case 16...115: return PhoneNumber("+3363998\(String(100 + parts[2] - 16).suffix(2))\(ending)")
    default: return nil
    }
  }
}
