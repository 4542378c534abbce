import Domain
import JSON
import Support
import Testing

@Suite("Domain · devices in seeds")
struct DeviceSeedTests {
  let world: World

  init() throws { world = try World(sections: [Acme.self]) }

  private func load(_ devices: String, into world: World) throws {
    try world.sandbox.atomically {
      try world.sandboxes.seeds.load(Fields(#"{"devices":[\#(devices)]}"#), into: world.sandbox)
    }
  }

  @Test("a seed registers apps, and an export loads back to an equal export")
  func roundTrip() throws {
    try load(
      #"{"number":"+12025550100","provider":"acme","app":"a","platform":"ios","pushToken":"t","publicKey":"MFkw","#
        + #""apnsToken":"sbx-t"},"#
        + #"{"number":"+12025550101","provider":"acme"}"#, into: world)
    let export = try world.sandboxes.seeds.export(from: world.sandbox)
    let other = try World(sections: [Acme.self])

    try other.sandboxes.seeds.load(Fields(export.text), into: other.sandbox)

    #expect(try world.sandbox.devices.all.map(\.draft.holder) == ["+12025550100", "+12025550101"])
    let devices: String =
      #""devices":[{"number":"+12025550100","provider":"acme","app":"a","platform":"ios","pushToken":"t","#
      + #""apnsToken":"sbx-t","publicKey":"MFkw"},{"number":"+12025550101","provider":"acme","#
      + #""app":"com.example.app:1.0.0","platform":"android","pushToken":"sbx-push-"#
    #expect(export.text.contains(devices))
    #expect(try other.sandboxes.seeds.export(from: other.sandbox) == export)
  }

  @Test("an equal registration changes nothing, a different one replaces the app")
  func again() throws {
    let seed = #"{"number":"+12025550100","provider":"acme","app":"a"}"#
    try load(seed, into: world)
    let first = try world.sandbox.devices.all

    try load(seed, into: world)
    #expect(try world.sandbox.devices.all == first)
    try load(#"{"number":"+12025550100","provider":"acme","app":"a","pushToken":"t"}"#, into: world)

    #expect(try world.sandbox.devices.all.map(\.draft.pushToken) == ["t"])
    #expect(try world.sandbox.devices.all != first)
  }

  @Test(
    "an invalid device is rejected, and nothing is saved",
    arguments: [
      (#"{"number":"12","provider":"acme"}"#, "$.devices[1].number"),
      (#"{"number":"+12025550112","provider":"acme"}"#, "$.devices[1].number"),
      (#"{"number":"+12025550101","provider":"nobody"}"#, "$.devices[1].provider"),
      (#"{"number":"+12025550101","provider":"acme","app":""}"#, "$.devices[1].app"),
      (#"{"number":"+12025550101","provider":"acme","platform":"tv"}"#, "$.devices[1].platform"),
    ])
  func refused(device: String, path: String) throws {
    let error = #expect(throws: FieldError.self) {
      try load(#"{"number":"+12025550100","provider":"acme"},\#(device)"#, into: world)
    }

    #expect(error?.path == path)
    #expect(try world.sandbox.devices.all.isEmpty)
  }
}

/// A provider that has nothing to load.
private enum Acme: Seeded {
  static let name = "acme"
  static var seed: SeedForm { SeedForm("Acme", []) }
  static func createCredentials(in sandbox: Sandbox) {}
  static func credentials(of sandbox: Sandbox) -> [(name: String, value: String)] { [] }
}
