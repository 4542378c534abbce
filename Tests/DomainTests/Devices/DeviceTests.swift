import Basics
import Domain
import Support
import Testing

@Suite("Domain · devices", .contract("telesign.md 5"))
struct DeviceTests {
  let world: World
  var devices: Devices { world.sandbox.devices }

  init() throws { world = try World() }

  @Test(
    "an app registers with a generated key, and is found by id, holder and registration")
  func registers() throws {
    var draft = Device.Draft(provider: "acme", holder: "+12025550100", app: "com.acme.app")
    draft.reference = "R1"
    let device = try devices.register(draft)

    let id = devices.identifier(of: device)
    #expect(try devices.find(id) == device)
    #expect(try devices.all(of: "+12025550100") == [device])
    #expect(try devices.all(of: "+12025550100", provider: "other").isEmpty)
    #expect(try devices.find(registeredBy: "R1", of: "+12025550100", provider: "acme") == device)
    #expect(try devices.find(registeredBy: "R2", of: "+12025550100", provider: "acme") == nil)
    #expect(device.publicKey.hasPrefix("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"))
    #expect(device.privateKey?.hasPrefix("-----BEGIN PRIVATE KEY-----") == true)
    #expect(try world.sandbox.story == ["10:20:30.000 device.registered +12025550100"])
  }

  @Test("an app that keeps its private key sends the public key")
  func ownKey() throws {
    var draft = Device.Draft(provider: "acme", holder: "+12025550100", app: "com.acme.app")
    draft.publicKey = "MFkw"

    let device = try devices.register(draft)

    #expect(device.publicKey == "MFkw")
    #expect(device.privateKey == nil)
    #expect(try devices.all == [device])
  }

  @Test("sandboxes with the same seed have the same keys and ids, which differ between devices")
  func equalKeys() throws {
    let other = try World()

    let mine = try ["a", "b"].map { try world.register($0) }
    let others = try ["a", "b"].map { try other.register($0) }

    #expect(mine == others)
    #expect(
      mine.map { devices.identifier(of: $0) } == others.map { other.sandbox.devices.identifier(of: $0) })
    #expect(mine[0].publicKey != mine[1].publicKey)
  }

  @Test("a new registration replaces the same app on the same handset, and no other app")
  func replaced() throws {
    let first = try world.register("com.acme.app")
    let neighbour = try world.register("com.acme.other")

    let second = try world.register("com.acme.app")

    #expect(try devices.all(of: "+12025550100") == [neighbour, second])
    #expect(try devices.find(devices.identifier(of: first))?.end?.ending == .replaced)
    #expect(try world.sandbox.story.last == "10:20:30.000 device.registered +12025550100")
    #expect(try world.sandbox.story.dropLast().last == "10:20:30.000 device.replaced +12025550100")
  }

  @Test("a removed device is not listed and cannot be removed again")
  func removed() throws {
    let device = try world.register()

    try devices.remove(device)
    let gone = try #require(try devices.find(devices.identifier(of: device)))
    try devices.remove(gone)

    #expect(try devices.all.isEmpty)
    #expect(gone.end?.at == TestSandbox.start)
    #expect(try world.sandbox.story.filter { $0.contains("device.removed") }.count == 1)
  }

  @Test(
    "a text that is not a device id finds nothing",
    arguments: [
      "", "latest", "+12025550100", "019b8dc1-7570-7000-8000-000000000000",
      "019B8DC1-7570-7000-8000-000000000000", "019b8dc1757070008000000000000000",
      "é19b8dc1-7570-7000-8000-00000000000",
    ])
  func noDevice(id: String) throws {
    try world.register()

    #expect(try devices.find(id) == nil)
  }

  @Test("an id with another time finds nothing")
  func foreignTime() throws {
    let device = try world.register()
    try world.sandboxes.commit()

    let other = world.sandbox.entropy.uuid(
      "device", device.ordinal, at: TestSandbox.start + .milliseconds(1))

    #expect(try devices.find(other) == nil)
  }

  @Test("ended devices are deleted with the history, registered ones are kept")
  func history() throws {
    let world = try World(retention: Retention(maxAge: .seconds(3600)))
    let kept = try world.register("com.acme.kept")
    try world.sandbox.devices.remove(world.register("com.acme.gone"))

    try world.sandbox.advance(by: .seconds(3 * 3600))
    try world.sandboxes.commit()

    #expect(try world.sandbox.devices.all == [kept])
    #expect(try world.rows["devices"] == 1)
  }
}

extension World {
  /// Registers an app of the provider `acme` on a handset.
  @discardableResult
  func register(_ app: String = "com.acme.app", on holder: String = "+12025550100") throws -> Device {
    var draft = Device.Draft(provider: "acme", holder: holder, app: app)
    draft.pushToken = "token-\(app)"
    return try sandbox.devices.register(draft)
  }
}

extension Retention {
  fileprivate init(maxAge: Duration) {
    self.init()
    self.maxAge = maxAge
  }
}
