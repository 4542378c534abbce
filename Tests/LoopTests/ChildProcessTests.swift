import Glibc
import Loop
import Testing

@Suite("Loop · ChildProcess")
struct ChildProcessTests {
  @Test("the status of a program is told once it has ended", arguments: [0, 7, 255] as [Int32])
  func status(status: Int32) throws {
    #expect(try ending(of: ["sh", "-c", "exit \(status)"]) == .exited(status: status))
  }

  @Test("so is the signal that ended it")
  func killed() throws {
    #expect(try ending(of: ["sh", "-c", "kill -9 $$"]) == .killed(signal: SIGKILL))
  }

  @Test("words are bytes, taken as they are")
  func words() throws {
    let loop = EventLoop()
    var ending: ChildProcess.Ending?
    let words = ["sh", "-c", #"[ "$1" = "$(printf '\377 $x')" ] && [ "$2" = "" ]"#, "sh"].map {
      Array($0.utf8)
    }
    let child = try ChildProcess(loop, words + [[0xFF] + Array(" $x".utf8), []]) { ending = $0 }

    loop.run()

    #expect(ending == .exited(status: 0))
    #expect(child.isClosing)
  }

  @Test("a signal is passed on, to one that has ended without effect")
  func signals() throws {
    let loop = EventLoop()
    var ending: ChildProcess.Ending?
    let child = try ChildProcess(loop, ["sleep", "60"].map { Array($0.utf8) }) { ending = $0 }
    #expect(child.identifier > 0)

    child.pass(.terminate)
    loop.run()
    child.pass(.terminate)

    #expect(ending == .killed(signal: SIGTERM))
  }

  @Test("a program that cannot be started is an error that names it", arguments: ["/no/such/program", "/"])
  func missing(program: String) {
    let loop = EventLoop()

    let error = #expect(throws: LoopError.self) {
      try ChildProcess(loop, [Array(program.utf8)]) { _ in Issue.record("it has not begun") }
    }
    loop.run()

    #expect(error?.doing == "starting \(program)")
    #expect(error?.name == (program == "/" ? "EACCES" : "ENOENT"))
  }

  private func ending(of words: [String]) throws -> ChildProcess.Ending? {
    let loop = EventLoop()
    var ending: ChildProcess.Ending?
    _ = try ChildProcess(loop, words.map { Array($0.utf8) }) { ending = $0 }
    loop.run()
    return ending
  }
}
