import Domain
import HTTP
import JSON
import Prelude
import Support
import Testing

/// A sandbox and a client with the key of a server.
struct PreludeWorld: JSONProviderWorld {
  static let provider = "prelude"
  static let token = "sk_sandbox00000000000000000000000001"
  static let sdkKey = "sdk_sandbox00000000000000000000000001"
  static let number = "+33639980050"
  static let credentials: Headers = ["Authorization": "Bearer \(token)"]

  let world: TestSandbox

  init() throws { world = try TestSandbox(of: PreludeProvider.self) }
}

extension PreludeWorld {
  func create(
    _ number: String = number, options: String = "{}", as credentials: Headers = credentials,
    _ more: String = ""
  ) throws -> Exchange {
    try post(
      "/v2/verification",
      #"{"target":{"type":"phone_number","value":"\#(number)"},"options":\#(options)\#(more)}"#,
      as: credentials)
  }
}
