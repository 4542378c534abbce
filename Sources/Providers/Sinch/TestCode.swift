package import ProviderKit

extension SinchProvider {
  package static let testCode: ProviderHooks.TestCode? = { number, sandbox in
    let body = JSONWriter.object { json in
      json.object("identity") { json in
        json.member("type", "number")
        json.member("endpoint", number.description)
      }
      json.member("method", VerificationMethod.sms.rawValue)
    }
    let own = try credentialsByName(of: sandbox)
    let pair = BasicAuthentication(
      name: own["applicationKey"] ?? "", password: own["applicationSecret"] ?? "")
    return AppRequest(
      .post, "/verification/v1/verifications", authorization: pair.field, body: .json(body))
  }
}
