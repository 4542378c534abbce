import Domain
import Foundation
import HTTP
import JSON
import Support

/// Sends a sequence of requests through the dispatcher, to a fresh sandbox in memory. No request may crash,
/// report an internal error, or answer with broken JSON.
///
/// Environment variables:
/// * `RINGFENCE_FUZZ_PROVIDER`: sends requests of this provider only, and those of the control API
/// * `RINGFENCE_FUZZ_PRINT`: prints each request before it is sent, and its status
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDispatcher(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let records = Record.all(in: UnsafeRawBufferPointer(start: data, count: size))
  guard let first = records.first else { return 0 }
  var run = Run(story: first)
  for step in records.dropFirst() { run.perform(step) }
  return 0
}

/// One sequence of requests.
private struct Run {
  private let world: TestSandbox
  private var earlier = EarlierValues()
  /// The requests of this input, for the message of a failure.
  private var sent: [String] = []
  /// True after a snapshot was restored. Its rows may be damaged, and damaged rows are internal errors.
  private var mayHaveDamagedRows = false

  private static let base = BaseRequests.load()
  // libFuzzer runs one input after the other, on one thread.
  nonisolated(unsafe) private static let template = SandboxTemplate.make()
  private static let prints = ProcessInfo.processInfo.environment["RINGFENCE_FUZZ_PRINT"] != nil

  /// The first record chooses the seed that `POST /control/sandboxes` knows as "story".
  init(story record: Record) {
    var story = Draft(body: .json(Self.base.story(record.choice)))
    let context = Draft.MutationContext(
      bodyNames: Self.base.bodyNames(of: "world"), queryNames: [""], earlier: earlier)
    for mutation in record.mutations { story.apply(mutation, context) }
    do {
      world = try Self.template.sandbox(
        stories: ["story": [.init(name: "story.json", bytes: story.bodyBytes)]])
    } catch {
      stop("the sandbox cannot be created: \(error)")
    }
    if record.failsWebhooks { world.receiver.answer = .answered(status: 500, body: "") }
  }

  mutating func perform(_ step: Record) {
    let entry = Self.base.request(for: step)
    var draft = Draft(entry)
    if step.linksValues { draft.link(to: earlier) }
    let context = Draft.MutationContext(
      bodyNames: Self.base.bodyNames(of: entry.group), queryNames: Self.base.queryNames, earlier: earlier)
    for mutation in step.mutations { draft.apply(mutation, context) }
    if let name = world.sandboxes.all.first(where: { $0.name != Sandboxes.defaultName })?.name {
      draft.select(sandbox: name, by: step.selection)
    }
    for _ in 0..<step.repetitions { send(draft) }
  }

  private mutating func send(_ draft: Draft) {
    let text = draft.description
    sent.append(text)
    if Self.prints { FileHandle.standardError.write(Data("> \(text)\n".utf8)) }
    let response: Response
    do {
      response = try world.answer(draft.request)
      try world.sandboxes.commit()
    } catch {
      fail("\(error)")
    }
    if draft.method == .put, draft.description.contains("/snapshot"), response.status.code < 300 {
      mayHaveDamagedRows = true
    }
    do {
      try world.sandboxes.catchUp()
      try world.sandboxes.commit()
    } catch {
      if !mayHaveDamagedRows { fail("\(error)") }
    }
    if Self.prints { FileHandle.standardError.write(Data("< \(response.status.code)\n".utf8)) }
    if !mayHaveDamagedRows, let report = world.reports.first { fail("internal error: \(report)") }
    check(response)
  }

  private mutating func check(_ response: Response) {
    guard response.headers["Content-Type"]?.contains("json") == true, !isDamaged(response) else { return }
    do {
      earlier.add(try JSON(parsing: response.body))
    } catch  where error.expected == CombiningMarks.expected {
      // An error text that repeats a header field. This limit is for requests only.
    } catch {
      fail("the answer is not JSON: \(error): \(String(decoding: response.body, as: UTF8.self))")
    }
  }

  /// True for the answers of injected faults, and for bodies without bytes.
  private func isDamaged(_ response: Response) -> Bool {
    response.body.isEmpty || response.body.starts(with: Array("<html>garbled".utf8))
  }

  private func fail(_ problem: String) -> Never {
    stop("\(problem)\nrequests:\n\(sent.joined(separator: "\n"))")
  }
}

/// Release builds do not print the text of `preconditionFailure`.
private func stop(_ problem: String) -> Never {
  FileHandle.standardError.write(Data("\(problem)\n".utf8))
  preconditionFailure(problem)
}
