import ProviderKit

/// Money in 10^-8 euros.
struct Euros: Equatable, Comparable, CustomStringConvertible {
  private let units: Int

  private init(units: Int) { self.units = units }

  /// Of a text such as `0.03330000`.
  init(_ text: String) { units = Int(text.filter { $0 != "." }) ?? 0 }

  static func + (left: Euros, right: Euros) -> Euros { Euros(units: left.units + right.units) }
  static func - (left: Euros, right: Euros) -> Euros { Euros(units: left.units - right.units) }
  static func * (price: Euros, count: Int) -> Euros { Euros(units: price.units * count) }
  static func < (left: Euros, right: Euros) -> Bool { left.units < right.units }

  /// Of amounts from zero.
  var description: String {
    let (whole, rest) = max(0, units).quotientAndRemainder(dividingBy: 100_000_000)
    return "\(whole).\(String(100_000_000 + rest).dropFirst())"
  }
}
