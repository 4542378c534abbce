import ProviderKit

// The resource `/v1/messages`. Source: `senders.md` 6.

func sendMessage(_ context: RequestContext) throws -> Response {
  let (sandbox, settings) = (context.sandbox, context.settings)
  let (account, limit) = (context.caller.account, settings.throughput)
  guard try RequestCount.add("messages \(account)", of: VonageProvider.name, limit: limit, in: sandbox) else {
    throw MessagesError.throttled(limit: limit, at: sandbox.clock.now)
  }
  let reader = Reader(fields: try context.request.json, faults: Faults())
  let items = [MessageItem(reader)] + reader.objects("failover", atMost: 10).map { MessageItem($0) }
  if let parameters = reader.faults.found { throw MessagesError.invalid(parameters) }
  let balance = try Balance(of: account, settings, in: sandbox)
  guard balance.covers(items[0].parts) else {
    throw MessagesError(.lowBalance).because("the setting balance does not suffice")
  }
  let sent = try SentMessage.send(items, for: context.caller, in: sandbox)
  return .json(202) { json in
    json.member("message_uuid", sent.uuid)
    if let workflow = sent.workflow { json.member("workflow_id", workflow) }
  }
}

/// A message of a person was read, or one to a person is taken back.
func updateMessage(_ context: RequestContext) throws -> Response {
  let uuid = context.request[parameter: "message_uuid"]
  let reader = Reader(fields: try context.request.json, faults: Faults())
  let status = reader.needed("status", "read or revoked") { $0 == "read" || $0 == "revoked" }
  _ = reader.object("replying_indicator")
  if let parameters = reader.faults.found { throw MessagesError.invalid(parameters) }
  func refuse(_ why: String) -> MessagesError { .invalid([.init(name: "status", reason: why)]) }
  if let inbound = try InboundMessage.find(uuid, in: context.sandbox) {
    guard status == "read", inbound.channel == .whatsapp || inbound.channel == .rcs else {
      throw refuse("expected read, and a message of whatsapp or rcs")
    }
  } else if let sent = try SentMessage.find(uuid, in: context.sandbox) {
    guard status == "revoked", sent.item.channel == .rcs, try sent.revoke(in: context.sandbox) else {
      throw refuse("expected revoked, and a message of rcs that was not delivered yet")
    }
  } else {
    throw MessagesError(.notFound).because("no message \(uuid)")
  }
  return Response(202)
}
