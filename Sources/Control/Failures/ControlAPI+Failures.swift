import Domain
import HTTP
import JSON

extension ControlAPI {
  var failureOperations: [Operation] {
    [
      Operation(
        .get("/control/failures", as: "listFailures", listFailures), access: .participant,
        "List the kinds of failure, and the request that produces each.", query: [Parameter.flow.member],
        .json(Self.failureList))
    ]
  }

  func listFailures(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let flow = try Parameter.flow.value(in: request.query)
    return Self.failureList.response(FailureGroup.all.filter { flow == nil || flow == $0.flow })
  }

  static let failureList = Schema<[FailureGroup]>(
    "Failures", "The kinds of failure that an app can meet.",
    [.readOnly("groups", .objects(group), "The parts of the system that fail.") { $0 }])

  private static let group = Schema<FailureGroup>(
    nil, "",
    [
      .readOnly("name", .string, "The part of the system.") { $0.name },
      .readOnly("flow", .word, "What an app does when it meets the failures.") { $0.flow },
      .readOnly("failures", .objects(failure), "Its failures.") { $0.failures },
    ])

  private static let failure = Schema<Failure>(
    "Failure", "A kind of failure.",
    [
      .readOnly("id", .string, "Its id.") { $0.id },
      .readOnly("name", .string, "Its name.") { $0.name },
      .readOnly("effect", .string, "What happens.") { $0.effect },
      .readOnlyIfPresent("request", .object(request), "The request that produces it.") { failure in
        failure.cause.path == nil ? nil : failure.cause
      },
      .readOnlyIfPresent("repair", .object(request), "The request that undoes it.") { $0.repair },
      .readOnlyIfPresent("manual", .string, "Steps for a person or an app, without a request.") { failure in
        if case .manual(let text) = failure.cause { text } else { nil }
      },
      .readOnlyIfPresent("number", .string, "A number whose last digits have the same effect.") { $0.number },
    ])

  private static let request = Schema<Failure.Cause>(
    nil, "",
    [
      .readOnly("method", .string, "The method.") { $0.method ?? "" },
      .readOnly("path", .string, "The path; {number} stands for a phone number.") { $0.path ?? "" },
      .readOnly("body", .json(.map(.any)), "The body.") { cause in
        cause.body.flatMap { try? JSON(parsing: Array($0.utf8)) } ?? .object([])
      },
    ])
}
