import ProviderKit

// The resource `/2010-04-01/Accounts/{account}/Calls`.

func createCall(_ context: RequestContext) throws -> Response {
  let account = try StoredCall.account(of: context)
  let sandbox = context.sandbox
  let form = try CallForm(context.request.form)
  let number = try CallRules(form: form, context: context).receiver()
  var call = StoredCall(of: account, in: sandbox)
  (call.to, call.from) = (form.to, form.from)
  (call.document, call.twiml, call.fallback) = (form.document, form.twiml, form.fallback)
  (call.statusCallback, call.statusEvents) = (form.statusCallback, form.statusEvents)
  (call.sendDigits, call.detectsMachines) = (form.sendDigits, form.detectsMachines)
  let body = CallBody(call, isNew: true, in: sandbox).json
  // Nothing is kept of a call with test credentials.
  guard !context.caller.isTest else { return .json(201, body) }
  var draft = MessageDraft(
    provider: TwilioProvider.name, reference: call.sid, channel: .call,
    destination: number?.description ?? form.to, sender: form.from, text: "", code: nil)
  draft.speech.isConversation = true
  draft.speech.ringTime = form.ringTime
  if number == nil { draft.scenario = Scenario(requested: "unreachable") }
  let carried = try sandbox.messages.submit(draft, to: number.map { try sandbox.subscribers[$0] })
  call.carrierOrdinal = carried.ordinal
  try StoredCall.table.deleteOldest(of: account, in: sandbox)
  try call.save(in: sandbox)
  try CallCourse.begin(call, carried, in: sandbox)
  return .json(201, body)
}

func fetchCall(_ context: RequestContext) throws -> Response {
  .json(200, CallBody(try StoredCall.named(by: context), in: context.sandbox).json)
}

/// Ends a call, or gives it another document. Without a parameter it changes nothing: some apps poll so.
func updateCall(_ context: RequestContext) throws -> Response {
  let call = try StoredCall.named(by: context)
  let form = try context.request.form
  let status = try form.optionalWord("Status", of: NewStatus.self)
  let document = try form.document("Url", "Method")
  let twiml = document == nil ? form.text("Twiml") : nil
  guard status != nil || document != nil || twiml != nil else { return try fetchCall(context) }
  if let twiml, twiml.count > CallForm.maxTwiml {
    throw APIError.invalidParameter("Twiml", expected: "at most \(CallForm.maxTwiml) characters")
  }
  guard call.endedAt == nil, var course = try CallCourse(of: call, in: context.sandbox) else {
    throw APIError(code: 21220).because(
      "\(call.sid) is \(call.status(at: context.sandbox.clock.now).rawValue)")
  }
  switch status {
  // Does not end a call that was answered.
  case .canceled where call.answeredAt != nil: break
  case .canceled, .completed: try course.finish(call.answeredAt == nil ? .canceled : .completed)
  case nil: try course.replaceScript(document: document, twiml: twiml)
  }
  try course.save()
  return try fetchCall(context)
}

private enum NewStatus: String, CaseIterable {
  case canceled, completed
}

func deleteCall(_ context: RequestContext) throws -> Response {
  let call = try StoredCall.named(by: context)
  guard call.endedAt != nil else {
    throw APIError(code: 21220, message: "Call is in-progress. Cannot delete.")
      .because("\(call.sid) is \(call.status(at: context.sandbox.clock.now).rawValue)")
  }
  try StoredCall.table.delete(call.sid, in: context.sandbox)
  return Response(204)
}
