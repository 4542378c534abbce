import ProviderKit

// Batches of a service plan. Source: `senders.md` 7.

func sendBatch(_ context: SMSContext) throws -> Response {
  var batch = Batch(of: context.plan, in: context.sandbox)
  try BatchForm(context).fill(&batch)
  try Batch.table.deleteOldest(in: context.sandbox)
  try batch.save(in: context.sandbox)
  let remark = try BatchSending.begin(batch, in: context.sandbox)
  var response = Response.json(201) { batch.write(to: &$0) }
  response.why = remark
  return response
}

func fetchBatch(_ context: SMSContext) throws -> Response {
  let batch = try Batch.named(by: context)
  return .json(200) { batch.write(to: &$0) }
}

func updateBatch(_ context: SMSContext) throws -> Response {
  var batch = try waitingBatch(context)
  try BatchForm(context).change(&batch)
  return try answer(changed: &batch, context)
}

func replaceBatch(_ context: SMSContext) throws -> Response {
  let earlier = try waitingBatch(context)
  var batch = Batch(replacing: earlier)
  try BatchForm(context).fill(&batch)
  return try answer(changed: &batch, context)
}

/// A batch that was sent stays as it is.
func cancelBatch(_ context: SMSContext) throws -> Response {
  var batch = try Batch.named(by: context)
  if try SentBatch.find(batch, in: context.sandbox) == nil, !batch.isCanceled {
    batch.isCanceled = true
    batch.modifiedAt = context.now
    try batch.save(in: context.sandbox)
  }
  return .json(200) { batch.write(to: &$0) }
}

/// Validates the recipients; what people do with their texts has no other effect here.
func sendDeliveryFeedback(_ context: SMSContext) throws -> Response {
  let batch = try Batch.named(by: context)
  let recipients = try context.request.json.optionalStrings("recipients") ?? []
  let known = Set(batch.to)
  for (place, recipient) in recipients.enumerated() {
    guard let digits = MSISDN.digits(of: recipient), known.contains(digits) else {
      throw SMSError.constraint("recipients[\(place)]", expected: "a number of the batch; found \(recipient)")
    }
  }
  return Response(202)
}

/// What a batch would send. The texts are made between other requests.
func dryRunBatch(_ context: SMSContext) throws -> Reply {
  let query = try context.request.query
  let isDetailed = query.text("per_recipient").map { $0.lowercased() == "true" } ?? false
  let limit = try query.number("number_of_recipients", 1...BatchForm.recipientLimit) ?? 100
  var batch = Batch(replacing: nil)
  batch.createdAt = context.now
  try BatchForm(context).fill(&batch)
  let texts = BatchTexts(of: batch)
  var (rest, parts, details) = (batch.to[...], 0, [[UInt8]]())
  var isAtEnd = false
  return .streamed(
    .json(200, []),
    BodyPieces {
      guard !isAtEnd else { return nil }
      for recipient in rest.prefix(20) {
        guard case .success(let text) = texts.text(for: recipient) else { continue }
        let encoding = TextEncoding(of: text.text)
        parts += encoding.segments
        guard isDetailed, details.count < limit else { continue }
        details.append(
          JSONWriter.object { json in
            json.member("recipient", recipient)
            json.member("number_of_parts", encoding.segments)
            json.member("body", text.text)
            json.member("encoding", encoding.alphabet == .gsm7 ? "text" : "unicode")
          })
      }
      rest = rest.dropFirst(20)
      guard rest.isEmpty else { return [] }
      isAtEnd = true
      return JSONWriter.object { json in
        json.member("number_of_recipients", batch.to.count)
        json.member("number_of_messages", parts)
        if isDetailed { json.array("per_recipient", details) { $0.value(encoded: $1) } }
      }
    })
}

/// The newest first.
func listBatches(_ context: SMSContext) throws -> Reply {
  let query = try SMSListQuery(context)
  let senders = try context.request.query.list("from").map(MSISDN.shown)
  var border = Int.max
  return query.reply("batches") { () -> [Batch]? in
    guard
      let (position, batch) = try Batch.table.list(from: .before(border), limit: 1, in: context.sandbox).last
    else { return nil }
    border = position
    guard batch.plan == context.plan.id, query.span.contains(batch.createdAt),
      query.clientReference == nil || query.clientReference == batch.clientReference,
      senders.isEmpty || senders.contains(batch.from ?? "")
    else { return [] }
    return [batch]
  } encode: { (batch: Batch) in
    JSONWriter.object { batch.write(to: &$0) }
  }
}

/// The batch of the path, if it is not sent yet.
private func waitingBatch(_ context: SMSContext) throws -> Batch {
  let batch = try Batch.named(by: context)
  guard try SentBatch.find(batch, in: context.sandbox) == nil, !batch.isCanceled else {
    throw SMSError(.alreadyDispatched)
      .because("the batch \(batch.id) was \(batch.isCanceled ? "canceled" : "sent"), and cannot change")
  }
  return batch
}

private func answer(changed batch: inout Batch, _ context: SMSContext) throws -> Response {
  batch.modifiedAt = context.now
  try batch.save(in: context.sandbox)
  let remark = try BatchSending.begin(batch, in: context.sandbox)
  var response = Response.json(200) { [batch] in batch.write(to: &$0) }
  response.why = remark
  return response
}
