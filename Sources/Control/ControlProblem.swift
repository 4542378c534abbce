package import HTTP
import JSON

/// A refusal of the control API: which field, what was expected, or what is not there.
struct ControlProblem: ResponseError {
  let status: Status
  let message: String
  let why: String? = nil

  var response: Response {
    .json(status, JSONWriter.object { $0.member("error", message) })
  }

  /// 404 for something that is not there.
  static func notFound(_ what: String) -> ControlProblem {
    ControlProblem(status: 404, message: "there is no \(what)")
  }
}

extension ControlAPI {
  /// The control API's words for what no handler answers.
  package static func errorResponse(for failure: RequestFailure, to request: Request) -> Response {
    switch failure {
    case .unknownPath, .notEmulated:
      ControlProblem.notFound("\(request.method.rawValue) \(request.target.path)").response
    case .wrongMethod(let allowed): wrongMethod(allowed)
    case .malformed(let field, let expected):
      .json(
        400,
        JSONWriter.object { json in
          json.member("error", "\(field.map { "\($0): " } ?? "")expected \(expected)")
          json.member("field", field)
        })
    case .fault(let status, _):
      ControlProblem(status: status ?? 500, message: "a fault that was asked for").response
    case .failure:
      ControlProblem(status: 500, message: "the sandbox failed; nothing of the request was kept").response
    case .overload:
      ControlProblem(status: 503, message: "there is no room for another connection").response
    }
  }

  private static func wrongMethod(_ allowed: [Method]) -> Response {
    let methods = allowed.map(\.rawValue).joined(separator: ", ")
    var response = ControlProblem(status: 405, message: "the path takes \(methods)").response
    response.headers.add("Allow", methods)
    return response
  }

  static func errorResponse(for unknown: Dispatcher.UnknownSandbox) -> Response {
    ControlProblem.notFound("sandbox \(unknown.name)").response
  }

  /// A plain 404 for a path that is nobody's, with the routes most like it.
  static func unknownPath(_ request: Request, nearest: [String]) -> Response {
    var text = "Nothing answers \(request.method.rawValue) \(request.target.path)\n"
    if !nearest.isEmpty { text += "Did you mean:\n" + nearest.map { "  \($0)\n" }.joined() }
    return .text(404, text)
  }
}
