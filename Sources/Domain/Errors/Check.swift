/// A behaviour of a provider, told as requests and their answers. See `CheckFile` in the kit for the text.
package struct Check: Sendable {
  /// Its numbers in the contract: `6`, `M3`. Empty for a behaviour without one.
  package var numbers: [String] = []
  package var title = ""
  /// The contract and its section: `carrier.md 4.4`.
  package var source = ""
  /// More for people. Empty if title and requests say it all.
  package var explanation = ""
  /// If it ends with an error: routes that can answer it, besides that of the last request.
  package var routes: [String] = []
  /// If it ends with an error that the provider has in several formats: which.
  package var format: String?
  package var requests: [CheckRequest] = []

  package init() {}

  /// `6 The sixth check of one verification`
  package var name: String { (numbers.isEmpty ? "" : numbers.joined(separator: ", ") + " ") + title }
}

/// A request of a check. Its texts can have variables: `${serviceSid}` is a credential (with several
/// providers, `${acme.serviceSid}`), `${code}` the newest code of `number`, `${limit.sid}` a member of the
/// answer that is called `limit` (an object as JSON), `${n}` the number of a repeated request, `${a x 65}` a
/// letter 65 times.
package struct CheckRequest: Sendable {
  /// The name by which later requests refer to its answer.
  package var result: String?
  package let method: String
  /// Below `/control/` for the control API, below `/handset/` for a handset, else a path of the provider,
  /// with its prefix or without, or a URL from an earlier answer.
  package let path: String
  /// How often it is sent.
  package var count = 1
  /// True for what a phone does with a URL: it follows redirects, and has no credentials.
  package var followsRedirects = false
  package var fields: [(name: String, value: String)] = []
  /// JSON, or a form whose values are not encoded yet.
  package var body = ""
  /// Nil for a request that only prepares.
  package var expected: ExpectedAnswer?

  package init(_ method: String, _ path: String) {
    self.method = method
    self.path = path
  }

  /// A body that begins with a variable is an answer, thus JSON.
  package var isForm: Bool { !["{", "[", "${"].contains { body.hasPrefix($0) } }
  /// True for the control API and the handsets, which belong to the sandbox and not to the provider.
  package var isOfSandbox: Bool { path.hasPrefix("/control/") || path.hasPrefix("/handset/") }
}

/// What a check expects of an answer: `-> 429 60202 status=429 [max-checks]`.
package struct ExpectedAnswer: Sendable {
  package let status: Int
  /// Texts and numbers that are somewhere in the answer.
  package var values: [String] = []
  /// Members of the answer, or parts of it.
  package var members: [Member] = []
  /// The name of the golden file with the whole exchange.
  package var golden: String?

  package struct Member: Sendable {
    /// `attempts.0.channel`, `headers.Retry-After`; empty for the whole answer
    package let path: String
    package let isEqual: Bool
    /// JSON, a text, or the start of a text and `*`: `VE*`, `"one of *"`.
    package let value: String

    package init(path: String, isEqual: Bool, value: String) {
      self.path = path
      self.isEqual = isEqual
      self.value = value
    }
  }

  package init(status: Int) { self.status = status }
}
