package import Domain
import ProviderKit

extension Acme: SendsTestCodes {
  package static func testCode(to number: PhoneNumber, in sandbox: Sandbox) -> AppRequest {
    AppRequest(.post, "/things/v1/things", body: .form([.init("to", number.description)]))
  }
}
