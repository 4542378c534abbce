import Domain
import HTTP
import ProviderKit

// The resource `/v2/intel/kyc/match/{number}`. Source: contract 9.

func matchIdentity(_ call: Call) throws -> Response {
  let form = try IdentityForm(call.request.json)
  guard !call.settings.kycCountries.isEmpty else {
    throw Problem(.forbidden).because("the setting kycCountries names no country")
  }
  let number = try call.number(call.request[parameter: "number"], of: "phone")
  let subscriber = try call.sandbox.subscribers[number]
  guard let country = subscriber.country, call.settings.kycCountries.contains(country) else {
    throw Problem(.unsupportedCountry, param: "phone").because(
      "the line is of \(subscriber.country ?? "no known country"), and the setting kycCountries names "
        + call.settings.kycCountries.joined(separator: ", "))
  }
  let verdicts = form.claims.map { ($0.attribute, IdentityVerdict(of: $0, about: subscriber)) }
  return call.answer { IdentityBody(subscriber: subscriber, verdicts: verdicts).write(to: &$0) }
}
