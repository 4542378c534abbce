package import ProviderKit

extension TelesignProvider {
  package static let testCode: ProviderHooks.TestCode? = { number, sandbox in
    let own = try credentialsByName(of: sandbox)
    let caller = BasicAuthentication(name: own["customerId"] ?? "", password: own["apiKey"] ?? "")
    return AppRequest(
      .post, "/v1/verify/sms", authorization: caller.field,
      body: .form([.init("phone_number", String(number.description.dropFirst()))]))
  }
}
