import RingfenceTesting
import XCTest

/// `make test` runs these through Tests/System/test_swift_client.py.
final class CaseTests: SandboxTestCase {
  override var clock: String? { noon }

  func testACodeSignsIn() async throws {
    try await sandbox.sendCode()
    let status = try await sandbox.checkCode(number, try await sandbox.code(number))
    XCTAssertEqual(status, "approved")
  }

  func testEachTestHasItsOwnSandbox() async throws {
    let (messages, now) = (try await sandbox.messages(), try await sandbox.now)
    XCTAssertEqual(messages, [])
    XCTAssertEqual(now.timeIntervalSince1970, 1_767_614_400)
  }
}
