import Domain
import ProviderKit

/// A number and what the carrier knows of it, as the vendor sees it. Source: contract 10.2 and 15.1.
struct Line {
  /// What is wrong with a number that cannot be anybody's, with its cleansing code. Source: contract 10.2.
  enum Flaw: Int {
    /// No plan has such a number.
    case noMatch = 103
    /// The plan's numbers are longer or shorter.
    case wrongLength = 105
  }

  /// The number as it was asked for.
  let number: Number
  /// The carrier's facts.
  let subscriber: Subscriber
  /// Where the number belongs; nil where no plan has its code.
  let territory: Territory?
  /// What is wrong with it, where it is none.
  let flaw: Flaw?
  /// What kind of phone it is.
  let phoneType: PhoneType
  /// Whether anything was said of it on the carrier.
  let isKnown: Bool
  /// Whether nothing is sent to it, as its ending says.
  let isBlocked: Bool

  /// The line of a number.
  ///
  /// The vendor's plans are not known, and its official tests use numbers that no country has given out. So a number
  /// is invalid by rules of our own: it ends in 0010; or the carrier knows nothing of it, and no plan has its
  /// calling code or numbers of its length. A record goes before the endings.
  init(of number: Number, in sandbox: Sandbox) throws {
    let isRecorded = try sandbox.subscribers.recorded(number.number) != nil
    isKnown = try sandbox.subscribers.contains(number.number)
    let ending = isRecorded ? nil : number.ending
    let subscriber = try sandbox.subscribers[number.number]
    let territory = Territory.of(number.digits, in: subscriber.country)
    let flaw =
      ending == .invalid ? .noMatch : isKnown ? nil : Self.flaw(of: number, in: territory)
    self.number = number
    self.subscriber = subscriber
    self.territory = territory
    self.flaw = flaw
    isBlocked = ending == .blocked
    phoneType = flaw != nil ? .invalid : ending == .voip ? .voip : PhoneType(of: subscriber)
  }

  /// The digits behind the calling code.
  var nationalDigits: String {
    String(number.digits.dropFirst(territory?.callingCode.utf8.count ?? 0))
  }

  /// What was done to the number before it was looked up. Source: contract 10.2.
  var cleansingCode: Int { flaw?.rawValue ?? (number.hadPlus ? 101 : 100) }

  /// What happened to the SIM card last: a new one, or another network's. A new contract is no swap here.
  func lastSwap(by time: Timestamp) -> Timestamp? {
    (subscriber.simSwaps + [subscriber.portedAt].compactMap { $0 }).filter { $0 <= time }.max()
  }

  private static func flaw(of number: Number, in territory: Territory?) -> Flaw? {
    guard let territory else { return .noMatch }
    let count = number.digits.utf8.count - territory.callingCode.utf8.count
    return territory.lengths.contains(count) ? nil : .wrongLength
  }
}
