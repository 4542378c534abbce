import ProviderKit

// Number Recycling 0.2.0. Source: contract 8.1.

extension Scope {
  static let numberRecycling = ["number-recycling:check"]
}

extension CAMARAProvider {
  static var numberRecyclingRoutes: [Route<Sandbox>] {
    [
      .post(
        "/number-recycling/v0.2/check", as: "checkNumberRecycling",
        operation("number-recycling:check", checkNumberRecycling))
    ]
  }
}

/// `POST /check`: whether somebody else, or nobody, had the number on a day.
func checkNumberRecycling(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let number = try body.optionalPhoneNumber()
  let day = try body.day("specifiedDate", notAfter: context.today)
  let subscriber = try Subject.subscriber(numbered: number, context)
  let periods = subscriber.subscriberPeriods
  guard let first = periods.first, let present = periods.last, present.to.map({ $0 > context.now }) ?? true
  else { throw APIError(.identifierNotFound).because("\(subscriber.number) has no contract now") }
  guard day >= Day(first.from) else {
    throw APIError.outOfRange("specifiedDate", expected: "a day since \(Day(first.from).text)")
  }
  return context.response { $0.member("phoneNumberRecycled", day < Day(present.from)) }
}
