/// One line of a provider's table of errors.
package struct ErrorRow: Equatable, Sendable {
  package let code: String
  package let status: Int
  /// Empty if the provider does not document one.
  package let text: String
  /// Which of the provider's formats has it; nil for a provider whose errors all look alike.
  package let format: String?

  package init(_ code: String, _ status: Int, _ text: String, in format: String? = nil) {
    self.code = code
    self.status = status
    self.text = text
    self.format = format
  }
}

/// An error of a provider, and how to get it.
package struct DocumentedError: Sendable {
  /// In `routes`: every route can answer it.
  package static let everyRoute = "all"

  package let provider: String
  package let row: ErrorRow
  package let example: ErrorExample
  /// The names of the routes that can answer it.
  package let routes: [String]

  package init(provider: String, row: ErrorRow, example: ErrorExample, routes: [String]) {
    self.provider = provider
    self.row = row
    self.example = example
    self.routes = routes
  }
}

/// How an error is produced: by requests, by a test with a device's key, or only by an injected fault.
package struct ErrorExample: Sendable {
  /// For people. Empty if the requests say it all.
  package var explanation = ""
  /// Without a fault. The last one gets the error.
  package var requests: [ExampleRequest] = []
  /// Routes that can answer the error, besides that of the last request.
  package var routes: [String] = []
  /// The test of the contract's conformance check about the error.
  package var check: String?
  package var isOnlyByFault = false

  package init() {}
}

/// A request of an example. Its texts can have variables: `${serviceSid}` is a credential, `${limit.sid}` a
/// member of the answer that is called `limit`, `${n}` the number of a repeated request, `${a x 65}` a letter
/// 65 times.
package struct ExampleRequest: Sendable {
  /// The name by which later requests refer to its answer.
  package var result: String?
  package let method: String
  /// Below `/control/` for the control API, else a path of the provider.
  package let path: String
  /// How often it is sent.
  package var count = 1
  package var fields: [(name: String, value: String)] = []
  /// JSON, or a form whose values are not encoded yet.
  package var body = ""

  package init(_ method: String, _ path: String) {
    self.method = method
    self.path = path
  }
}
