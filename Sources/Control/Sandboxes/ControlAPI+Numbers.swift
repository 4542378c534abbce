/// Why providers accept or refuse a number.
extension ControlAPI {
  func fetchNumber(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try number(request)
    let validity = try sandbox.numbers.validity(of: number)
    return NumberView.schema.response(
      NumberView(
        number: number, validity: validity,
        isFictional: sandbox.numbers.isFictional(number),
        hasRecord: try sandbox.subscribers.recorded(number) != nil))
  }
}

struct NumberView: Sendable {
  let number: PhoneNumber
  let validity: NumberValidity
  let isFictional: Bool
  let hasRecord: Bool

  static let schema = Schema<NumberView>(
    "Number", "A phone number in the numbering plan of the sandbox.",
    [
      .readOnly("number", .phoneNumber, "The number.") { $0.number },
      .readOnly("valid", .boolean, "True if the number can exist. Providers refuse numbers that cannot.") {
        $0.validity == .valid
      },
      .readOnlyIfPresent("problem", .word, "Why the number cannot exist.") {
        $0.validity == .valid ? nil : $0.validity
      },
      .readOnlyIfPresent("why", .string, "The same for people, and how to accept the number.") {
        $0.validity == .valid ? nil : NumberPlan.explanation(of: $0.validity, $0.number)
      },
      .readOnly("fictional", .boolean, "True if the number is reserved for fiction and tests.") {
        $0.isFictional
      },
      .readOnly("recorded", .boolean, "True if the number has a record.") { $0.hasRecord },
      .readOnlyIfPresent("country", .countryCode, "ISO 3166-1 alpha-2; absent for codes of no country.") {
        $0.number.country
      },
      .readOnly("nationalFormat", .string, "The number as people in its country write it.") {
        $0.number.nationalFormat
      },
      .readOnlyIfPresent("callingCode", .string, "The country code; absent if it is not assigned.") {
        $0.number.callingCode
      },
    ])
}
