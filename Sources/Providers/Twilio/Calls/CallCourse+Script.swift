import ProviderKit

// How a call follows the app's documents.
extension CallCourse {
  /// The call was answered.
  mutating func beginScript() throws {
    if let document = call.document { return try ask(document) }
    try load(Array((call.twiml ?? "").utf8), from: nil)
    if call.script.document != nil { try run() }
  }

  /// A client gives the call another document.
  mutating func replaceScript(document: Address?, twiml: String?) throws {
    (call.document, call.twiml) = (document, twiml)
    call.changedAt = sandbox.clock.now
    guard call.answeredAt != nil else { return try save() }
    try sandbox.calls.interrupt(carried.ordinal)
    call.script.leaveDocument()
    try beginScript()
    try save()
  }

  /// What was planned for now.
  mutating func takeStep() throws {
    guard let gather = call.script.gather else {
      if call.script.document == nil { try finish(.completed) } else { try run() }
      return try save()
    }
    guard gather.planned.isEmpty else {
      call.script.gather?.planned = ""
      try save()
      // The keys come back as an event, after which the call is another one than here.
      if case .accepted = try sandbox.calls.press(gather.planned, during: carried.ordinal) { return }
      return try planAndSave(after: elapsed + gather.timeout)
    }
    if gather.digits.isEmpty && !gather.acceptsNone { try goOn() } else { try submit(gather, finishedBy: "") }
    try save()
  }

  private mutating func planAndSave(after span: Duration) throws {
    try planStep(after: span)
    try save()
  }

  // MARK: Documents

  /// Asks the app for a document.
  mutating func ask(
    _ address: Address, _ extras: KeyValuePairs<String, String?> = [:], isFallback: Bool = false,
    redirects: Int = 0
  ) throws {
    let documents = call.script.documents + (redirects == 0 ? 1 : 0)
    call.script.leaveDocument()
    (call.script.requested, call.script.isFallback) = (address, isFallback)
    (call.script.redirects, call.script.documents) = (redirects, documents)
    guard documents <= CallScript.maxDocuments else {
      note(.noAnswer, "more than \(CallScript.maxDocuments) documents", at: address.url)
      return try finish(.completed)
    }
    if let document = Twimlet.document(at: address.url) {
      try load(document, from: address)
      // Later, so that documents that lead to each other do not hold up others.
      if call.script.document != nil { try planStep(after: elapsed) }
      return
    }
    guard AbsoluteURL(address.url) != nil else {
      return try fail(TwiMLError(.noAnswer, "expected an http or https URL; found \(address.url.quoted)"))
    }
    let parameters = CallRequest.parameters(
      of: call, status: StoredCall.Status.inProgress.rawValue, at: sandbox.clock.now, extras)
    let request = try CallRequest.enqueue(
      parameters, to: address, kind: CallRequest.documentKind, of: call, in: sandbox)
    call.script.request = request
  }

  /// Takes the app's answer; nil if there was none.
  mutating func read(_ answer: WebhookAnswer?, of webhook: Webhook) throws {
    call.script.request = nil
    guard let address = call.script.requested else { return }
    guard let answer else { return try fail(TwiMLError(.noAnswer, webhook.why ?? "no answer")) }
    call.script.keep(cookies: answer.values("Set-Cookie"))
    switch answer.status {
    case 200...299:
      let document: [UInt8]
      do throws(TwiMLError) {
        document = try CallRequest.document(in: answer, of: address)
      } catch {
        return try fail(error, status: answer.status)
      }
      try load(document, from: address)
      if call.script.document != nil { try run() }
    case 300...399:
      guard let location = answer.values("Location").first,
        let next = address.resolving(
          location, answer.status == 307 || answer.status == 308 ? address.method : .get),
        call.script.redirects < CallScript.maxRedirects
      else {
        let why = "the app answered \(answer.status), \(call.script.redirects + 1) redirects in a row"
        return try fail(TwiMLError(.noAnswer, why), status: answer.status)
      }
      try ask(next, isFallback: call.script.isFallback, redirects: call.script.redirects + 1)
    default:
      try fail(TwiMLError(.noAnswer, "the app answered \(answer.status)"), status: answer.status)
    }
  }

  /// Reads a document, which is there afterwards unless it cannot be used.
  private mutating func load(_ document: [UInt8], from source: Address?) throws {
    do throws(TwiMLError) {
      _ = try TwiML(document)
    } catch {
      return try fail(error)
    }
    (call.script.document, call.script.place) = (String(decoding: document, as: UTF8.self), 0)
    call.script.source = source
  }

  /// The app's document cannot be used: its fallback is asked, or the call ends with an apology.
  private mutating func fail(_ error: TwiMLError, status: Int = 0) throws {
    let url = call.script.requested?.url ?? ""
    note(error.code, error.why, at: url, status: status)
    if let fallback = call.fallback, !call.script.isFallback {
      return try ask(
        fallback, ["ErrorCode": String(error.code.rawValue), "ErrorUrl": url], isFallback: true)
    }
    call.script.leaveDocument()
    try say([(.caller, "We are sorry, an application error has occurred. Goodbye.")])
    try planStep(after: elapsed + .seconds(1))
  }

  // MARK: Verbs

  /// Carries out verbs up to the next one that has to wait.
  private mutating func run() throws {
    guard let text = call.script.document, let twiml = try? TwiML(Array(text.utf8)) else {
      return try finish(.completed)
    }
    var speech = CallSpeech(at: elapsed)
    var place = call.script.place
    while place < twiml.verbs.count, speech.add(twiml.verbs[place]) { place += 1 }
    try add(speech)
    guard speech.end == elapsed else {
      call.script.place = place
      return try planStep(after: speech.end)
    }
    guard place < twiml.verbs.count else { return try finish(.completed) }
    call.script.place = place + 1
    let verb = twiml.verbs[place]
    switch verb.name {
    case "Gather": try gather(verb)
    case "Redirect": try redirect(verb)
    case "Reject": try finish(verb["reason"] == "busy" ? .busy : .noAnswer)
    default: try finish(.completed)
    }
  }

  private func add(_ speech: CallSpeech) throws {
    if !speech.lines.isEmpty { try sandbox.calls.add(speech.lines, to: carried.ordinal) }
    let url = call.script.source?.url ?? ""
    for omission in speech.omissions {
      note(omission.hasSuffix("unknown verb") ? .unknownVerb : nil, omission, at: url)
    }
  }

  private mutating func redirect(_ verb: XMLElement) throws {
    let reference = verb.text.split(whereSeparator: \.isWhitespace).joined()
    try ask(reference, verb["method"].flatMap { Address.Method(rawValue: $0.uppercased()) } ?? .post)
  }

  /// Asks for the document at a reference; empty: the present one again.
  private mutating func ask(
    _ reference: String, _ method: Address.Method, _ extras: KeyValuePairs<String, String?> = [:]
  ) throws {
    let source = call.script.source
    let present = source.map { Address(url: $0.url, method: method) }
    let next = reference.isEmpty ? present : (source ?? Address()).resolving(reference, method)
    guard let next else {
      return try fail(TwiMLError(.noAnswer, "expected an absolute URL; found \(reference.quoted)"))
    }
    try ask(next, extras)
  }

  // MARK: Keys

  private mutating func gather(_ verb: XMLElement) throws {
    var gather = Gather(verb)
    var prompt = CallSpeech(at: elapsed)
    for verb in verb.elements { _ = prompt.add(verb) }
    try add(prompt)
    try sandbox.calls.awaitKeys(true, during: carried.ordinal)
    gather.planned = try sandbox.calls.takeKeys(
      usual: Gather.usualKeys(verb), limit: gather.numDigits, endedBy: gather.finishKeys,
      during: carried.ordinal)
    call.script.gather = gather
    try planStep(after: prompt.end + (gather.planned.isEmpty ? gather.timeout : .seconds(1)))
  }

  mutating func press(_ keys: String) throws {
    guard var gather = call.script.gather else { return }
    gather.planned = ""
    if let key = gather.press(keys) { return try submit(gather, finishedBy: key) }
    call.script.gather = gather
    try planStep(after: elapsed + gather.timeout)
  }

  /// Gives the app the keys.
  private mutating func submit(_ gather: Gather, finishedBy key: String) throws {
    try sandbox.calls.awaitKeys(false, during: carried.ordinal)
    guard gather.action != nil || call.script.source != nil else {
      note(nil, "Gather without an action, in a document without a URL: the keys go nowhere", at: "")
      return try goOn()
    }
    try ask(
      gather.action ?? "", gather.method,
      ["Digits": gather.digits, "FinishedOnKey": key, "msg": "Gather End"])
  }

  /// Leaves the verb `Gather` without an input.
  private mutating func goOn() throws {
    try sandbox.calls.awaitKeys(false, during: carried.ordinal)
    call.script.gather = nil
    try run()
  }
}
