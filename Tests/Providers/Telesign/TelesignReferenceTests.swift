import Domain
import HTTP
import JSON
import Support
import Telesign
import Testing

@Suite("Telesign · references", .contract("telesign.md 9.1"))
struct TelesignReferenceTests {
  private static let path = "/v1/messaging"

  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func send() throws -> Exchange {
    try telesign.post(
      Self.path, form: ["phone_number": TelesignWorld.number, "message": "x", "message_type": "OTP"])
  }

  private func status(_ reference: String) throws -> Exchange {
    try telesign.get("\(Self.path)/\(reference)")
  }

  @Test("references are limited by the history that the sandbox keeps")
  func history() throws {
    var retention = Retention()
    retention.maxOrdinals = 50
    let telesign = TelesignWorld(try TestSandbox(of: TelesignProvider.self) { $0.retention = retention })
    let section = RecordStore.Section(provider: "telesign", kind: "transaction")
    var references: [String] = []
    for _ in 0..<100 {
      let form: KeyValuePairs = [
        "phone_number": TelesignWorld.number, "message": "x", "message_type": "OTP",
      ]
      references.append(try telesign.post(Self.path, form: form).reference())
    }

    #expect(try telesign.sandbox.records.all(section).count < 50)
    #expect(try telesign.get("\(Self.path)/\(references[0])").errorCodes() == "404 10036")
    #expect(try telesign.get("\(Self.path)/\(references[99])").isAccepted)
  }

  @Test("expired references are deleted, and stay expired")
  func room() throws {
    let old = try send().reference()
    try telesign.advance(25 * 3600)
    _ = try send()

    #expect(try status(old).errorCodes() == "404 10036")
    #expect(
      try telesign.sandbox.records.all(RecordStore.Section(provider: "telesign", kind: "transaction")).count
        == 1)
  }
}
