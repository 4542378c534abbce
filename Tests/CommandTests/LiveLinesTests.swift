import Basics
import Domain
import Glibc
import Testing

@testable import ringfence

/// A pipe that nobody reads until the test does.
private final class Pipe {
  private var ends: [Int32] = [0, 0]

  init() { precondition(pipe(&ends) == 0) }

  deinit { ends.forEach { close($0) } }

  var writer: Int32 { ends[1] }

  /// What was written so far; at least one byte must have been.
  func read(_ count: Int = 1 << 20) -> String {
    var bytes = [UInt8](repeating: 0, count: count)
    return String(decoding: bytes[..<Glibc.read(ends[0], &bytes, count)], as: UTF8.self)
  }
}

@Suite("Command · LossyOutput")
struct LossyOutputTests {
  @Test("lines are written at once where there is room")
  func written() {
    let pipe = Pipe()
    let output = LossyOutput(pipe.writer)
    output.write("one")
    output.flush()

    #expect(pipe.read() == "one\n" && output.isEmpty)
  }

  @Test("nothing waits for a reader that does not read: lines are dropped, and their number is said")
  func dropped() {
    let pipe = Pipe()
    let output = LossyOutput(pipe.writer)
    let line = String(repeating: "x", count: 99)
    var written = ""
    for _ in 0..<2000 {
      output.write(line)
      output.flush()
    }
    #expect(!output.isEmpty && !output.hasRoom)
    while !output.isEmpty {
      written += pipe.read()
      output.flush()
    }
    written += pipe.read()

    let lines = written.split(separator: "\n")
    let shown = lines.filter { $0 == line }.count
    #expect(lines.count == shown + 1)
    #expect(lines.last == "… \(2000 - shown) lines not shown: the terminal was slow")
  }

  @Test("the end waits no longer than a second for the reader")
  func finish() {
    let pipe = Pipe()
    let output = LossyOutput(pipe.writer)
    output.finish(Array(repeating: String(repeating: "x", count: 99), count: 2000))

    #expect(!output.isEmpty)
  }
}

@Suite("Command · LiveLine")
struct LiveLineTests {
  private func exchange(
    _ owner: String = "twilio", _ route: String? = "createVerification", status: Int = 201,
    why: String? = nil, effects: Journal.Effects = .init()
  ) -> Journal.Exchange {
    Journal.Exchange(
      at: Timestamp(milliseconds: 37_230_000), owner: owner, route: route, method: "POST", target: "/v2/x",
      requestHead: [], requestBody: [], status: status, responseHead: [], responseBody: [], why: why,
      unread: [], nearest: [], effects: effects)
  }

  private func text(_ exchange: Journal.Exchange, width: Int = 100, hasColor: Bool = false) throws -> String {
    let sandbox = try SeedFiles.freshSandboxes().defaultSandbox
    return LiveStyle(hasColor: hasColor).text(of: LiveLine(exchange, in: sandbox), width: width)
  }

  @Test("a line has time, provider, number and outcome")
  func line() throws {
    let sandbox = try SeedFiles.freshSandboxes().defaultSandbox
    let before = sandbox.newestOrdinal
    _ = try sandbox.messages.submit(
      MessageDraft(
        provider: "twilio", reference: "", channel: .sms, destination: "+12025550100", sender: "1",
        text: "Your code: 123456", code: "123456"), to: nil)
    let effects = Journal.Effects(newestBefore: before, newestAfter: sandbox.newestOrdinal)
    let line = LiveLine(exchange(effects: effects), in: sandbox)

    #expect(
      LiveStyle(hasColor: false).text(of: line, width: 100)
        == "10:20:30  twilio    +12025550100    createVerification 201, sms 123456")
  }

  @Test("an error has its reason, and fits the width")
  func error() throws {
    let rejected = exchange(status: 400, why: "To: expected a phone number such as +12025550100")

    let start = "10:20:30  twilio                    createVerification 400, To: expected a phone number"
    #expect(try text(rejected, width: 200) == start + " such as +12025550100")
    #expect(try text(rejected, width: 80).count == 80)
  }

  @Test("an unknown path is not emulated")
  func notEmulated() throws {
    #expect(
      try text(exchange("", nil, status: 404, why: "not emulated"))
        == "10:20:30  -                         POST /v2/x not emulated")
  }

  @Test(
    "colours tell success, mistakes and failures apart",
    arguments: [(201, 32), (404, 33), (503, 31), (0, 31)])
  func colors(status: Int, color: Int) throws {
    let text = try text(exchange(status: status), hasColor: true)

    #expect(text.contains("\u{1B}[\(color)m") && text.hasSuffix("\u{1B}[0m"))
  }
}
