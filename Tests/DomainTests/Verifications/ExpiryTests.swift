import Basics
import Database
import Domain
import Foundation
import Support
import Testing

@Suite("Domain · expiry of verifications")
struct ExpiryTests {
  let world: World

  init() throws { world = try World() }

  @Test("each of many expires at its own time, ended ones are skipped")
  func many() throws {
    for digit in 1...4 {
      try world.start("+1202555010\(digit)")
      try world.sandbox.advance(by: .seconds(10))
    }
    try world.sandbox.check(try code(of: 2), of: "+12025550102")

    try world.sandbox.advance(by: .seconds(700))

    #expect(try ends() == ["10:30:30.000 1", "10:30:50.000 3", "10:31:00.000 4"])
  }

  @Test("a short lifetime does not wait for a longer one that started before")
  func lifetimes() throws {
    var short = VerificationRules()
    short.lifetime = .seconds(120)
    try world.start("+12025550101")
    try world.start("+12025550102", rules: short)
    try world.start("+12025550103")
    try world.start("+12025550104", rules: short)

    try world.sandbox.advance(by: .seconds(600))

    #expect(try ends() == ["10:22:30.000 2", "10:22:30.000 4", "10:30:30.000 1", "10:30:30.000 3"])
  }

  @Test("one started after the clock was set back expires at its own time, before older ones")
  func setBack() throws {
    try world.start("+12025550101")
    try world.sandbox.set(clockTo: TestSandbox.start - .seconds(3600))
    try world.start("+12025550102")

    try world.sandbox.advance(by: .seconds(700))

    #expect(try ends() == ["09:30:30.000 2"])
  }

  @Test("the expiry of one can be moved", arguments: [10, 900])
  func moved(seconds: Int) throws {
    guard case .created(let verification) = try world.start() else { return }
    try world.sandbox.verifications.setExpiry(of: verification, to: TestSandbox.start + .seconds(seconds))

    try world.sandbox.advance(by: .seconds(seconds - 1))
    #expect(try ends() == [])
    try world.sandbox.advance(by: .seconds(1))
    #expect(try ends() == [seconds == 10 ? "10:20:40.000 0" : "10:35:30.000 0"])
  }

  @Test("the agenda has one expiry per lifetime, however many are pending")
  func agenda() throws {
    let before = try world.count("SELECT count(*) FROM agenda")

    for digit in 1...9 { try world.start("+1202555010\(digit)") }

    #expect(try world.count("SELECT count(*) FROM agenda") == before + 1)
  }

  @Test("a verification started after all others have ended is scheduled again")
  func anew() throws {
    try world.start("+12025550101")
    try world.sandbox.advance(by: .seconds(600))
    try world.start("+12025550102")

    try world.sandbox.advance(by: .seconds(600))

    #expect(try ends() == ["10:30:30.000 1", "10:40:30.000 2"])
  }

  @Test("a start that is undone leaves no scheduled expiry")
  func undone() throws {
    struct TestError: Error {}
    try? world.sandbox.atomically {
      try world.start("+12025550101")
      throw TestError()
    }
    try world.start("+12025550102")

    try world.sandbox.advance(by: .seconds(600))

    #expect(try ends() == ["10:30:30.000 2"])
  }

  @Test("old and new verifications expire after a restart")
  func reopened() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "expiry-\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let first = try World(.file(path: file.path))
    try first.start("+12025550101")
    try first.start("+12025550102")
    try first.sandboxes.commit()
    first.close()

    let second = try World(.file(path: file.path))
    try second.start("+12025550103")
    try second.sandbox.advance(by: .seconds(600))

    #expect(try ends(second) == ["10:30:30.000 1", "10:30:30.000 2", "10:30:30.000 3"])
  }

  private func code(of digit: Int) throws -> String {
    try #require(try world.sandbox.newest("+1202555010\(digit)")).code
  }

  /// When which number's verification expired: its last digit behind the time.
  private func ends(_ world: World? = nil) throws -> [String] {
    try (world ?? self.world).sandbox.events.after(0).filter { $0.kind == .verificationExpired }.map {
      event in
      "\(event.at.iso8601Milliseconds.dropFirst(11).dropLast()) \(event.destination.suffix(1))"
    }
  }
}
