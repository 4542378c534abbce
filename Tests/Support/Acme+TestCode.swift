package import Domain
import Numbers
import ProviderKit

extension Acme {
  package static let testCode: ProviderHooks.TestCode? = { number, sandbox in
    AppRequest(.post, "/things/v1/things", body: .form([.init("to", number.description)]))
  }
}
