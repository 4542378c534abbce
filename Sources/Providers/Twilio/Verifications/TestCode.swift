package import ProviderKit

extension TwilioProvider {
  package static let testCode: ProviderHooks.TestCode? = { number, sandbox in
    let own = try credentialsByName(of: sandbox)
    let caller = BasicAuthentication(name: own["accountSid"] ?? "", password: own["authToken"] ?? "")
    return AppRequest(
      .post, "/v2/Services/\(own["serviceSid"] ?? "")/Verifications", authorization: caller.field,
      body: .form([.init("To", number.description), .init("Channel", "sms")]))
  }
}
