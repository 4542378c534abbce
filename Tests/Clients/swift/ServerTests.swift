import Foundation
import Testing

@testable import RingfenceTesting

@Suite("Client · servers", .timeLimit(.minutes(1)))
struct ServerTests {
  @Test("a server starts on a free port, and stops")
  func stops() async throws {
    let ringfence = try await Ringfence.start(fresh: true)
    #expect(ringfence.isTransient)
    #expect(try await ringfence.control.get("/control/sandboxes")["sandboxes"][0]["name"] == "default")
    await ringfence.stop()
    let error = await #expect(throws: RingfenceError.self) { try await ringfence.sandbox() }
    #expect(
      error?.message.contains(#/^no answer from the server at http\S+ \(.+\): it has ended with status 0/#)
        == true)
  }

  @Test("takes options of run, and reports those that are none")
  func options() async throws {
    let ringfence = try await Ringfence.start(fresh: true, options: ["--entropy-seed", "7"])
    let sandbox = try await ringfence.existing("default")
    #expect(try await sandbox.control.get("/control/entropy")["entropySeed"] == 7)
    await ringfence.stop()
    let misspelt = await #expect(throws: RingfenceError.self) {
      try await Ringfence.start(fresh: true, options: ["--nmbers", "any"])
    }
    #expect(misspelt?.message.contains(#/did not start: status \d+\n[\s\S]*--nmbers/#) == true)
    let useless = await #expect(throws: RingfenceError.self) {
      try await Ringfence.start(url: ringfence.url, options: ["--numbers", "any"])
    }
    #expect(useless?.message.hasPrefix("options: are for a new server") == true)
  }

  @Test("a server that runs is used, and one that is dead says so")
  func given() async throws {
    let own = try await Ringfence.start(fresh: true)
    let used = try await Ringfence.start(url: "\(own.url)/s/default/")
    #expect(used.url == own.url)
    #expect(used.processIdentifier == nil)
    let sandbox = try await used.sandbox(name: "shared")
    #expect(try await own.existing("shared").credentials == sandbox.credentials)
    await used.stop()
    kill(try #require(own.processIdentifier), SIGKILL)
    let dead = await #expect(throws: RingfenceError.self) {
      // Its server ends a moment after it.
      while true { _ = try await own.control.get("/control/clock") }
    }
    #expect(dead?.message.contains("it has ended with signal 9") == true)
    let error = await #expect(throws: RingfenceError.self) { try await sandbox.code("+12025550100") }
    #expect(error?.message.contains("is it running? See RINGFENCE_URL") == true)
    await own.stop()
  }

  @Test("a program that runs has no ending, and one that stops has")
  func ending() async throws {
    let program = try await Program.start([])
    #expect(await program.endingSoon() == nil)
    // Another program, which must not hold the pipe.
    let reader = try #require(popen("cat >/dev/null", "w"))
    await program.stop()
    pclose(reader)
    #expect(await program.endingSoon() == "status 0")
  }

  @Test("the program is that of RINGFENCE_BINARY, beside the tests, of the wheel, or of the PATH")
  func program() throws {
    let (tests, wheel, bin) = (try folder("tests"), try folder("wheel/bin"), try folder("bin"))
    defer { try? FileManager.default.removeItem(at: tests.deletingLastPathComponent()) }
    let empty = try folder("empty").path
    func find(_ environment: [String: String], tests: String = "/nowhere/tests") throws -> String {
      try Program.find(environment, in: empty, tests: tests)
    }
    for place in [tests, wheel, bin] {
      try FileManager.default.copyItem(
        at: URL(fileURLWithPath: "/bin/true"), to: place.appendingPathComponent("ringfence"))
    }
    let venv = wheel.deletingLastPathComponent().path
    #expect(try find(["RINGFENCE_BINARY": "/bin/true", "PATH": bin.path]) == "/bin/true")
    #expect(try find(["VIRTUAL_ENV": venv], tests: "\(tests.path)/all.xctest") == "\(tests.path)/ringfence")
    #expect(try find(["VIRTUAL_ENV": venv, "PATH": bin.path]) == "\(venv)/bin/ringfence")
    #expect(try find(["PATH": "\(empty):\(bin.path)"]) == "\(bin.path)/ringfence")
    #expect(message { try find(["PATH": empty]) }.hasPrefix("there is no program ringfence: install it"))
    #expect(message { try find(["RINGFENCE_BINARY": "/no"]) } == "RINGFENCE_BINARY: there is no program /no")
  }

  private func folder(_ name: String) throws -> URL {
    let process = ProcessInfo.processInfo.processIdentifier
    let made = FileManager.default.temporaryDirectory.appendingPathComponent(
      "ringfence-find-\(process)/\(name)")
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    return made
  }

  private func message(_ body: () throws -> String) -> String {
    (#expect(throws: RingfenceError.self) { try body() })?.message ?? ""
  }

  @Test("a test without a sandbox says so")
  func noSandbox() {
    let error = #expect(throws: RingfenceError.self) { try Sandbox.current }
    #expect(error?.message.hasPrefix("there is no sandbox here: use @Test(.sandbox)") == true)
  }
}
