package import Domain
import JSON
import ProviderKit

extension PreludeProvider: SendsTestCodes {
  package static func testCode(to number: PhoneNumber, in sandbox: Sandbox) throws -> AppRequest {
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
