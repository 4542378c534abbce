/// An error of the control API: the field, the problem, and the expected value.
struct ControlProblem: ResponseError {
  let status: Status
  let message: String
  var field: String?
  var headers: Headers = [:]
  /// True if a rule of the sandbox is the reason.
  var isOnPurpose = false
  var why: String? { isOnPurpose ? "\(brokenOnPurpose): \(message)" : message }

  static let schema = Schema<ControlProblem>(
    "Error", "An error: the field, the problem, and the expected value.",
    [
      .readOnly("error", .string, "The problem, for people.") { $0.message },
      .readOnlyIfPresent("field", .string, "The member, query parameter or header with the problem.") {
        $0.field
      },
    ])

  var response: Response {
    var response = Self.schema.response(self, status: status)
    response.headers.append(headers)
    return response
  }

  /// 404 for something that is not there.
  static func notFound(_ what: String) -> ControlProblem {
    ControlProblem(404, "there is no \(what)")
  }

  /// In bytes. Texts that clients sent are a part of messages.
  private static let messageLimit = 4_096

  init(_ status: Status, _ message: String, field: String? = nil) {
    self.status = status
    self.message = message.prefix(bytes: Self.messageLimit).showingInvisible(except: "\n")
    self.field = field
  }

  /// An error whose text begins with the field.
  init(_ status: Status, at field: String, _ problem: String) {
    self.init(status, "\(field): \(problem)", field: field)
  }

  init(unknownParameter name: String, known: [String]) {
    let expected =
      known.nearest(to: name).map { "did you mean \($0)?" }
      ?? (known.isEmpty ? "the path takes none" : "expected one of \(known.joined(separator: ", "))")
    self.init(400, "\(name): unknown query parameter; \(expected)", field: name)
  }

  /// 429 or 507 for a limit of a sandbox.
  init(_ error: LimitExceeded) {
    let isRate = error.limit == .requestsPerSecond
    self.init(isRate ? 429 : 507, error.description, field: "limits.\(error.limit.rawValue)")
    if isRate { headers = ["Retry-After": "1"] }
  }

  /// 400 for a body or a path.
  init(_ error: FieldError) {
    self.init(400, error.description, field: error.path)
  }
}

extension ControlProblem {
  /// The answer to a request that no handler answers.
  init(_ failure: RequestFailure, of request: Request, nearest: [String] = []) {
    switch failure {
    case .unknownPath, .notEmulated:
      let hint = nearest.first.map { "; did you mean \($0)?" } ?? ""
      self = .notFound("\(request.method.rawValue) \(request.target.path)\(hint)")
    case .wrongMethod(let allowed):
      let methods = allowed.map(\.rawValue).joined(separator: ", ")
      self.init(405, "wrong method; expected \(methods)")
      headers = ["Allow": methods]
    case .malformed(let field, let expected):
      self.init(400, "\(field.map { "\($0): " } ?? "")expected \(expected)", field: field)
    case .fault(let status, _):
      self.init(status ?? 500, "broken on purpose (/control/faults)")
    case .rejected(let status, let why): self.init(status, why)
    case .internalError: self.init(500, "internal error; the request changed nothing")
    case .overload: self.init(503, "too many connections")
    }
  }
}

extension ControlAPI {
  package static func errorResponse(for failure: RequestFailure, to request: Request) -> Response {
    ControlProblem(failure, of: request).response
  }

  /// For a path that no owner has, with the most similar routes. Plain text, because no client reads it.
  static func unknownPath(_ request: Request, nearest: [String]) -> Response {
    if request.hasPathOfOwnAPI {
      return ControlProblem(.unknownPath, of: request, nearest: nearest).response
    }
    var text = "Unknown path: \(request.method.rawValue) \(request.target.path)\n"
    if !nearest.isEmpty { text += "Did you mean:\n" + nearest.map { "  \($0)\n" }.joined() }
    return .text(404, text)
  }
}
