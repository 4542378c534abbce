import Domain
import HTTP
import JSON
import Numbers
import Support
import Testing

@testable import CAMARA

/// Questions about lines. Every answer is checked against the official documents.
extension CAMARAWorld {
  /// A token with these scopes, by default with all; of a subscriber, or with two legs.
  func token(
    for number: String? = nil, of client: String? = nil, scopes: [String] = Scope.supported
  ) throws -> String {
    var token = AccessToken()
    token.clientID = client ?? clientID
    token.scopes = scopes
    token.number = try number.map { try #require(PhoneNumber($0)) }
    if number != nil { token.purpose = "dpv:FraudPreventionAndDetection" }
    try sandbox.atomically { try token.issue(for: .seconds(1_000_000), in: sandbox) }
    return token.text
  }

  /// The answer to a token with all scopes: that of a subscriber, or one with two legs.
  func ask(
    _ path: String, _ body: String = "{}", as number: String? = nil, of client: String? = nil,
    method: HTTP.Method = .post, at location: SourceLocation = #_sourceLocation
  ) throws -> Exchange {
    let token = try token(for: number, of: client)
    let exchange = try call(path, method == .post ? body : "", token: token, method: method)
    for line in exchange.disagreements(with: .camara) {
      Issue.record("response deviates from the OpenAPI document: \(line)", sourceLocation: location)
    }
    return exchange
  }

  /// An event of a line: `"event":"simSwap"`.
  func event(_ number: String, _ members: String) throws {
    let exchange = try world.send(.json(.post, "/control/subscribers/\(number)/events", "{\(members)}"))
    guard exchange.answer.hasPrefix("200") else { throw Refusal(answer: exchange.answer) }
  }

  /// Settings of the provider: `"monitoredPeriod":90`.
  func configure(_ settings: String) throws { try load(#"{"settings":{\#(settings)}}"#) }

  func advance(_ seconds: Int) throws {
    try sandbox.atomically { try sandbox.advance(by: .seconds(seconds)) }
    world.sendWebhooks()
  }

  /// The messages that a handset shows.
  func inbox(_ number: String = a) throws -> [Message] {
    var filter = Messages.Filter()
    filter.destination = number
    return try sandbox.messages.inbox(filter)
  }
}

/// `{"phoneNumber":"+12025550100"}`, with further members.
func about(_ number: String, _ more: String = "") -> String {
  #"{"phoneNumber":"\#(number)"\#(more.isEmpty ? "" : ",")\#(more)}"#
}
