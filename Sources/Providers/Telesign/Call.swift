import Domain
import HTTP
import JSON
import ProviderKit

/// What every operation starts from: who calls is proven, for which product, under which settings.
struct Call {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let family: Family
  /// The customer id.
  let customer: String

  /// The form's field; of several of one name the last, an empty one is as if it were absent. A body of
  /// another kind has no fields. Source: contract 3.3, quirk 11.
  func field(_ name: String) throws -> String? {
    guard let text = try request.form.all(name).last, !text.isEmpty else { return nil }
    return text
  }

  /// A field of the legacy family that has to be there. Source: contract 7.1.
  func required(_ name: String) throws -> String {
    guard let text = try field(name) else { throw Problem.missing(name) }
    return text
  }

  /// The phone number in a text.
  func number(_ text: String) throws -> Number {
    guard let number = Number(text, settings) else { throw Problem.invalidNumber(text, in: family) }
    guard sandbox.numbers.accepts(number.number, provider: TelesignProvider.name) else {
      throw Problem.invalidNumber(text, in: family)
        .because("the number may be somebody's own; --numbers safe-only refuses such")
    }
    return number
  }

  /// Refuses to send to a number whose ending asks for it, or from an account without money.
  /// Source: contract 7.1, 9.1 and 15.1.
  func admitSending(to number: Number?) throws {
    switch number?.ending {
    case .rateLimited: throw Problem.rateLimited(in: family).because("the number ends in 0429")
    case .unavailable: throw Problem.unavailable(503, in: family).because("the number ends in 0503")
    case .trial: throw Problem.trial(number?.digits ?? "", in: family).because("the number ends in 0033")
    default: break
    }
    try admitSpending()
  }

  /// Refuses what costs money to an account without any. Source: contract 7.1, 9.1 and 10.4.
  func admitSpending() throws {
    guard settings.hasFunds else {
      throw Problem.noFunds(in: family).because("the setting account.funds is off")
    }
  }

  /// An answer with a body that `write` fills.
  func answer(_ status: Status = 200, _ write: (inout JSONWriter) -> Void) -> Response {
    .json(status, JSONWriter.object(write))
  }

  /// `{"code":…,"description":…,"updated_on":…}`. Source: contract 1.3.
  func writeStatus(_ code: Int, at time: Timestamp? = nil, to json: inout JSONWriter) {
    let time = time ?? sandbox.clock.now
    json.object("status") { json in
      json.member("code", code)
      json.member("description", statusText(code))
      json.member("updated_on", time.microseconds)
    }
  }
}

/// A route of a product: proves who calls and what the account has, and puts time and id on refusals.
func route(
  _ method: HTTP.Method, _ pattern: Pattern, as name: String, of product: Product,
  bodyLimit: Int? = nil, _ operation: @escaping (Call) throws -> Response
) -> Route<Sandbox> {
  .on(method, pattern, as: name, bodyLimit: bodyLimit) { request, sandbox in
    let family = Family(path: request.target.path)
    do {
      let settings = try Settings.current(in: sandbox)
      let customer = try authenticate(request, family, settings, in: sandbox)
      guard !settings.disabledProducts.contains(product.rawValue) else {
        throw Problem.disabled(product, in: family)
      }
      try Meter(product, settings).count(in: sandbox, family)
      return try operation(
        Call(request: request, sandbox: sandbox, settings: settings, family: family, customer: customer))
    } catch let problem as Problem {
      throw problem.signed(in: sandbox)
    }
  }
}

extension Problem {
  /// 401 for a trial account and a number that it has not verified. Source: contract 4.9, 7.1 and 9.1.
  fileprivate static func trial(_ digits: String, in family: Family) -> Self {
    switch family {
    case .legacy: Self(-10033, in: family)
    case .flat, .silent:
      Self(10033, 401, "\(digits) has not been verified for this trial account.", in: family)
    case .omnichannel: Self(3071, in: family)
    }
  }

  /// 402: no money. Source: contract 4.9, 7.1 and 9.1.
  fileprivate static func noFunds(in family: Family) -> Self {
    switch family {
    case .legacy: Self(-10030, in: family)
    case .flat, .silent: Self(10030, 402, "Insufficient funds in prepaid wallet.", in: family)
    case .omnichannel: Self(3073, in: family)
    }
  }
}
