import ProviderKit

/// What is heard during a call whose words the provider gets while it lasts, and the requests to the app that
/// such a call causes.
extension DiagramItems {
  mutating func addConversation(of message: Message) {
    guard let call = history.calls[message.ordinal], let conversation = call.conversation else { return }
    let target = Diagram.Step.Target.message(message.ordinal)
    for (place, line) in conversation.lines.enumerated() where line.after <= call.endsAfter {
      let time = message.submittedAt + line.after
      switch line.speaker {
      // After the request for the document that says so, which may have the same time.
      case .caller:
        add(
          Diagram.Step(at: time, from: .network, to: .phone, text: line.heard, target: target), .max,
          .reaction, place)
      case .network: add(note: line.text.filter { !"()".contains($0) }.capitalizedFirst, at: time, .max)
      case .person, .machine: break
      }
    }
    guard call.key == .none else { return }
    let end = min(history.now, message.submittedAt + call.endsAfter)
    add(note: conversation.awaitsKeys ? "The call waits for a key" : "No key was pressed", at: end, .max)
  }
}

extension TranscriptLine {
  /// `says “Your code is 4. 8. 2.”`, `plays 4_middle.mp3`
  fileprivate var heard: String {
    let isFile = text.hasPrefix("http://") || text.hasPrefix("https://")
    guard isFile, !text.contains(" ") else { return "says “\(text)”" }
    return "plays \(text.split(separator: "/").last ?? "")"
  }
}

extension Webhook {
  /// Its kind; of a message's or a call's, also the status that it tells: `call.status ringing`.
  func title(about subject: Subject) -> String {
    guard case .message = subject.origin, let body = request?.body,
      let form = try? Form(parsing: Array(body)),
      let status = form.pairs.first(where: { $0.name.hasSuffix("Status") })?.value,
      !draft.kind.hasSuffix("document")
    else { return draft.kind }
    return "\(draft.kind) \(status)"
  }
}

extension WebhookAttempt.Result {
  /// The verbs of a document in the answer: `Gather, Say`; empty for other answers.
  var verbs: String {
    guard body.contains("<Response") else { return "" }
    let names = body.split(separator: "<").dropFirst().map { String($0.prefix { $0.isLetter }) }
    return names.filter { $0.first?.isUppercase ?? false && $0 != "Response" }.prefix(4)
      .joined(separator: ", ")
  }
}
