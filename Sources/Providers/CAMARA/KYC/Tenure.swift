import ProviderKit

// KYC Tenure 0.2.0. Source: contract 9.2.

extension Scope {
  static let tenure = ["kyc-tenure:check-tenure"]
}

extension CAMARAProvider {
  static var tenureRoutes: [Route<Sandbox>] {
    [
      .post(
        "/kyc-tenure/v0.2/check-tenure", as: "checkTenure", operation("kyc-tenure:check-tenure", checkTenure))
    ]
  }
}

/// `POST /check-tenure`: whether the present contract has run since a day.
func checkTenure(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let number = try body.optionalPhoneNumber()
  let day = try body.day("tenureDate", notAfter: context.today)
  let subscriber = try Subject.subscriber(numbered: number, context)
  let start = subscriber.subscriberPeriods.last?.from ?? subscriber.activatedAt
  return context.response { json in
    json.member("tenureDateCheck", day >= Day(start))
    json.member("contractType", subscriber.contract.rawValue)
  }
}
