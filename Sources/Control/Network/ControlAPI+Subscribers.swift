import Domain
import HTTP
import JSON

/// Numbers and who holds them.
extension ControlAPI {
  func listSubscribers(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let all = try sandbox.subscribers.all
    return .json(
      200,
      JSONWriter.object { json in
        json.array("subscribers", all) { json, subscriber in json.value { subscriber.write(to: &$0) } }
      })
  }

  func fetchSubscriber(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    body(of: try sandbox.subscribers[number(request)])
  }

  func putSubscriber(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try number(request)
    let fields = try request.json
    if let repeated = try fields.optionalString("number"), repeated != number.description {
      throw fields.mismatch("number", expected: "the number of the path, or none")
    }
    var subscriber = try sandbox.subscribers[number]
    try sandboxes.seeds.merge(fields, into: &subscriber)
    try fields.requireAllRead()
    try sandbox.subscribers.keep(subscriber)
    if try fields.optionalObject("reach") != nil { try release(to: subscriber, in: sandbox) }
    return body(of: subscriber)
  }

  func applyEvent(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try number(request)
    let fields = try request.json
    let change = try SubscriberChange(fields, since: sandbox.startedAt)
    try fields.requireAllRead()
    return body(of: try sandbox.subscribers.apply(change, to: number))
  }

  func deleteSubscriber(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try number(request)
    guard try sandbox.subscribers.forget(number) else {
      throw ControlProblem.notFound("record of \(number)")
    }
    return Response(204)
  }

  /// A handset that was said to be reachable gets what the carrier holds for it.
  private func release(to subscriber: Subscriber, in sandbox: Sandbox) throws {
    if subscriber.reach.sms { try sandbox.messages.release(to: subscriber.number, over: [.sms]) }
    if subscriber.reach.data { try sandbox.messages.release(to: subscriber.number, over: .data) }
  }

  /// The phone number of the path.
  func number(_ request: Request) throws -> PhoneNumber {
    let text = request[parameter: "number"]
    guard let number = PhoneNumber(text) else {
      throw FieldError(path: "number", expected: "a phone number such as +12025550100", found: "\"\(text)\"")
    }
    return number
  }

  private func body(of subscriber: Subscriber) -> Response {
    .json(200, JSONWriter.object { subscriber.write(to: &$0) })
  }
}
