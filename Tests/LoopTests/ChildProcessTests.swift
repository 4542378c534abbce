import Glibc
import Loop
import Testing

@Suite("Loop · ChildProcess")
struct ChildProcessTests {
  @Test("an exit status is reported", arguments: [0, 7, 255] as [Int32])
  func status(status: Int32) throws {
    #expect(try ending(of: ["sh", "-c", "exit \(status)"]) == .exited(status: status))
  }

  @Test("a terminating signal is reported")
  func killed() throws {
    #expect(try ending(of: ["sh", "-c", "kill -9 $$"]) == .killed(signal: SIGKILL))
  }

  @Test("arguments are bytes and passed unchanged")
  func arguments() throws {
    let loop = EventLoop()
    var ending: ChildProcess.Termination?
    let words = ["sh", "-c", #"[ "$1" = "$(printf '\377 $x')" ] && [ "$2" = "" ]"#, "sh"].map {
      Array($0.utf8)
    }
    let child = try ChildProcess(loop, words + [[0xFF] + Array(" $x".utf8), []]) { ending = $0 }

    loop.run()

    #expect(ending == .exited(status: 0))
    #expect(child.isClosing)
  }

  @Test("a signal is sent; after the end it has no effect")
  func signals() throws {
    let loop = EventLoop()
    var ending: ChildProcess.Termination?
    let child = try ChildProcess(loop, ["sleep", "60"].map { Array($0.utf8) }) { ending = $0 }
    #expect(child.processID > 0)

    child.send(.terminate)
    loop.run()
    child.send(.terminate)

    #expect(ending == .killed(signal: SIGTERM))
  }

  @Test("a program that cannot be started is an error that names it", arguments: ["/no/such/program", "/"])
  func missing(program: String) {
    let loop = EventLoop()

    let error = #expect(throws: LoopError.self) {
      try ChildProcess(loop, [Array(program.utf8)]) { _ in Issue.record("it must not start") }
    }
    loop.run()

    #expect(error?.doing == "starting \(program)")
    #expect(error?.name == (program == "/" ? "EACCES" : "ENOENT"))
  }

  private func ending(of words: [String]) throws -> ChildProcess.Termination? {
    let loop = EventLoop()
    var ending: ChildProcess.Termination?
    _ = try ChildProcess(loop, words.map { Array($0.utf8) }) { ending = $0 }
    loop.run()
    return ending
  }
}
