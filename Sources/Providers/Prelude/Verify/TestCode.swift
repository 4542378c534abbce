package import ProviderKit

extension PreludeProvider {
  package static let testCode: ProviderHooks.TestCode? = { number, sandbox in
    let body = JSONWriter.object { json in
      json.object("target") { json in
        json.member("type", "phone_number")
        json.member("value", number.description)
      }
    }
    let token = try credentialsByName(of: sandbox)["apiToken"] ?? ""
    return AppRequest(.post, "/v2/verification", authorization: "Bearer \(token)", body: .json(body))
  }
}
