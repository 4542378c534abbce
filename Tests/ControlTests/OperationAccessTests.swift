import HTTP
import JSON
import Support
import Testing

@testable import Control

@Suite("Control · who may call each operation")
struct OperationAccessTests {
  private static let admin: Headers = ["Authorization": "Bearer admin-secret"]
  private let desk: Desk

  init() throws {
    desk = try Desk(tokens: AccessTokens(admin: "admin-secret", sandboxKey: Array(repeating: 7, count: 32)))
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci"}"#, headers: Self.admin)
  }

  @Test("every operation is open to the callers that its description names, and to no others")
  func callers() throws {
    let (own, participant) = (try token(of: "ci"), try participantToken())
    let document = try JSON(parsing: desk.respond("GET /control/openapi.json", headers: Self.admin).body)
    guard case .object(let paths) = try #require(document["paths"]) else {
      Issue.record("no paths")
      return
    }
    var counts: [Access: Int] = [:]
    for path in paths {
      guard case .object(let operations) = path.value else { continue }
      for operation in operations {
        guard case .string(let word) = operation.value["x-access"], let access = Access(rawValue: word) else {
          Issue.record("\(path.name) has no access")
          continue
        }
        counts[access, default: 0] += 1
        func status(_ headers: Headers, name: String) throws -> Int {
          let place = path.name.replacing("{name}", with: name).replacing(/\{[a-z]+\}/, with: "1")
          return Int(
            try desk.respond("\(operation.name.uppercased()) \(place)", headers: headers).status.code)
        }
        let denials: Set = [401, 403]
        let isAdmitted = [
          denials.contains(try status([:], name: "ci")),
          denials.contains(try status(participant, name: "class-1")),
          denials.contains(try status(own, name: "ci")), denials.contains(try status(Self.admin, name: "no")),
        ].map { !$0 }
        let expected: [Bool] =
          switch access {
          case .open: [true, true, true, true]
          case .participant: [false, true, true, true]
          case .sandbox: [false, false, true, true]
          case .admin: [false, false, false, true]
          }
        #expect(isAdmitted == expected, "\(operation.name) \(path.name): \(word)")
      }
    }
    #expect(counts.count == Access.allCases.count)
  }

  private func participantToken() throws -> Headers {
    let made = try desk.respond(
      "POST /control/workshops", #"{"name":"class","story":"first-sign-in","participants":1}"#,
      headers: Self.admin)
    #expect(made.status == 201)
    return try token(of: "class-1")
  }

  private func token(of name: String) throws -> Headers {
    let answer = try desk.respond("POST /control/sandboxes/\(name)/tokens", headers: Self.admin)
    return ["Authorization": "Bearer \(try JSON(parsing: answer.body)["token"]?.text ?? "")"]
  }
}
