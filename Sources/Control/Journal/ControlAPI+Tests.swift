/// The names of tests, and reports.
extension ControlAPI {
  func markTest(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let mark = try request.decodeBody(TestMark.self)
    if let outcome = mark.outcome {
      sandbox.journal.end(test: mark.name, outcome)
    } else {
      sandbox.journal.begin(test: mark.name)
    }
    return Response(204)
  }

  /// Produced while the client reads it.
  func fetchReport(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let headers: Headers = ["Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff"]
    return .streamed(Response(200, headers: headers), try report(idleSandbox(request)))
  }
}

/// The beginning or the end of a test.
struct TestMark: RequestBody {
  var name = ""
  var outcome: Journal.MarkedTest.Outcome?

  static let schema = Schema<TestMark>(
    "TestMark", "The beginning or the end of a test.",
    [
      .required("name", \.name, .string(1...300), "The name of the test."),
      .optional("outcome", \.outcome, .word, "How it ended; without it, the test begins."),
    ])
}
