import Domain
import HTTP
import JSON

/// Virtual handsets, each under its number, and the devices on them: apps that have registered themselves.
extension ControlAPI {
  func listDevices(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let handsets = try handsets(in: sandbox)
    return .json(
      200,
      JSONWriter.object { json in
        json.array("devices", handsets) { json, handset in json.value { write(handset, sandbox, to: &$0) } }
      })
  }

  /// Gives a number its handset, which has a record from then on; with an app, it is registered there. An app may also
  /// stand for a handset that is known by its token only.
  func createDevice(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let draft = fields.has("provider") ? try sandboxes.seeds.device(from: fields, in: sandbox) : nil
    let holder = try draft?.holder ?? fields.string("number")
    let number = PhoneNumber(holder)
    guard draft != nil || number != nil else { throw fields.mismatch("number", expected: Self.numberForm) }
    try fields.requireAllRead()
    if let number {
      let subscriber = try sandbox.subscribers[number]
      guard subscriber.lineType == .mobile else {
        throw fields.mismatch("number", expected: "a mobile line, not \(subscriber.lineType.rawValue)")
      }
      try sandbox.subscribers.keep(subscriber)
    }
    let device = try draft.map { try sandbox.devices.register($0) }
    let handset = try Handset(holder: holder, in: sandbox)
    return .json(
      201,
      JSONWriter.object { json in
        if let device { write(device, sandbox, to: &json) } else { write(handset, sandbox, to: &json) }
      })
  }

  /// A handset by its number, or a device by its id; `latest` is the device that registered last.
  func fetchDevice(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    if let number = PhoneNumber(id) {
      let handset = try Handset(holder: number.description, in: sandbox)
      return .json(200, JSONWriter.object { write(handset, sandbox, to: &$0) })
    }
    let device = try device(id, in: sandbox)
    return .json(200, JSONWriter.object { write(device, sandbox, to: &$0) })
  }

  /// Changes what pushes to a device meet: its token, the token's state, whether it is online.
  func putDevice(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    var device = try device(request[parameter: "id"], in: sandbox)
    let fields = try request.json
    let state = try fields.optionalString("state").map { word throws(FieldError) in
      guard let state = TokenState(word) else { throw fields.mismatch("state", expected: TokenState.forms) }
      return state
    }
    let isOnline = try fields.optionalBool("online")
    let token = try token(fields)
    try fields.requireAllRead()
    if let token, token != device.draft.pushToken { device = try sandbox.devices.rotate(device, to: token) }
    device = try sandbox.devices.change(device, tokenState: state, isOnline: isOnline)
    return .json(200, JSONWriter.object { write(device, sandbox, to: &$0) })
  }

  /// Gives a device a new token, made up where the body has none.
  func rotateToken(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let device = try device(request[parameter: "id"], in: sandbox)
    let fields = try request.json
    let token = try token(fields) ?? sandbox.devices.freshToken()
    try fields.requireAllRead()
    let rotated = try sandbox.devices.rotate(device, to: token)
    return .json(200, JSONWriter.object { write(rotated, sandbox, to: &$0) })
  }

  private func token(_ fields: Fields) throws(FieldError) -> String? {
    try fields.optionalText("pushToken", expected: "1 to 4096 bytes") { (1...4096).contains($0.utf8.count) }
  }

  /// Takes an app off its handset, or all apps of a number.
  func deleteDevice(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    guard let number = PhoneNumber(id) else {
      try sandbox.devices.remove(device(id, in: sandbox))
      return Response(204)
    }
    let devices = try sandbox.devices.all(of: number.description)
    guard !devices.isEmpty else { throw ControlProblem.notFound("device on \(number)") }
    for device in devices { try sandbox.devices.remove(device) }
    return Response(204)
  }

  /// The device of an id; `latest` is the one that registered last.
  func device(_ id: String, in sandbox: Sandbox) throws -> Device {
    let found = id == "latest" ? try sandbox.devices.all.last : try sandbox.devices.find(id)
    guard let found, found.end == nil else { throw ControlProblem.notFound("device \(id)") }
    return found
  }

  /// A number with what is on its handset.
  private struct Handset {
    let holder: String
    let subscriber: Subscriber?
    let devices: [Device]

    init(holder: String, in sandbox: Sandbox) throws {
      self.holder = holder
      subscriber = try PhoneNumber(holder).map { try sandbox.subscribers[$0] }
      devices = try sandbox.devices.all(of: holder)
    }
  }

  /// Mobile lines with a record, and whoever else has a device, by number.
  private func handsets(in sandbox: Sandbox) throws -> [Handset] {
    let recorded = try sandbox.subscribers.all.filter { $0.lineType == .mobile }.map(\.number.description)
    let holders = try Set(recorded + sandbox.devices.all.map(\.draft.holder))
    return try holders.sorted().map { try Handset(holder: $0, in: sandbox) }
  }

  private func write(_ handset: Handset, _ sandbox: Sandbox, to json: inout JSONWriter) {
    json.member("id", handset.holder)
    json.member("number", handset.holder)
    json.member("operator", handset.subscriber?.operatorName)
    json.member("country", handset.subscriber?.country)
    json.member("pushes", handset.subscriber?.pushes?.rawValue)
    json.array("apps", handset.devices) { json, device in json.value { write(device, sandbox, to: &$0) } }
  }

  private func write(_ device: Device, _ sandbox: Sandbox, to json: inout JSONWriter) {
    json.member("id", sandbox.devices.identifier(of: device))
    json.member("number", device.draft.holder)
    json.member("provider", device.draft.provider)
    json.member("app", device.draft.app)
    json.member("platform", device.draft.platform.rawValue)
    json.member("pushToken", device.draft.pushToken)
    json.member("state", device.tokenState.text)
    json.member("online", device.draft.isOnline)
    json.member("publicKey", device.publicKey)
    json.member("registeredAt", device.registeredAt.iso8601Milliseconds)
  }
}
