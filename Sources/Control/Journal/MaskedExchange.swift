/// A request with its answer as people see it. Its reason and its unread fields are masked when it is
/// recorded.
package struct MaskedExchange: Sendable {
  package let exchange: Journal.Exchange
  let masking: Masking

  package init(_ exchange: Journal.Exchange, in sandbox: Sandbox) {
    self.exchange = exchange
    masking = Masking(sandbox.secretNames(of: exchange.owner))
  }

  package var target: String { masking.target(exchange.target) }
  package var requestHead: [String] { masking.head(exchange.requestHead) }
  package var requestBody: String { masking.body(exchange.requestBody) }
  package var responseHead: [String] { masking.head(exchange.responseHead) }
  package var responseBody: String { masking.body(exchange.responseBody) }
}
