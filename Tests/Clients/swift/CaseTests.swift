import Foundation
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

  /// Here, because XCTest runs one test after the other.
  func testUseEnvSetsVariablesUntilTheSandboxIsDeleted() async throws {
    let own = try await Ringfence.shared.sandbox()
    setenv("API_TOKEN", "mine", 1)
    try await own.useEnv()
    XCTAssertEqual(variable("API_TOKEN"), own.credentials["prelude"]?["apiToken"])
    await own.restoreEnv()
    XCTAssertEqual(variable("API_TOKEN"), "mine")
    try await own.useEnv()
    XCTAssertEqual(variable("TWILIO_AUTH_TOKEN"), own.credentials["twilio"]?["authToken"])
    try await own.delete()
    XCTAssertEqual(variable("API_TOKEN"), "mine")
    XCTAssertNil(variable("TWILIO_AUTH_TOKEN"))
    unsetenv("API_TOKEN")
  }

  private func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
