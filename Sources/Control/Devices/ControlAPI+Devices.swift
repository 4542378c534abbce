/// Handsets, each under its number, and the devices on them: apps that are registered.
extension ControlAPI {
  func listDevices(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    try list(HandsetView.page, request) { after, limit in
      try sandbox.devices.possibleHolders(after: after, limit: limit).map { holder in
        let handset = try HandsetView(holder: holder, in: sandbox)
        return (holder, handset.isListed ? handset : nil)
      }
    }
  }

  /// Gives a number a handset, and so a record. If the body names a provider, an app is registered there,
  /// with the provider's own requests where it has some.
  func createDevice(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let form = try DeviceForm(fields)
    let enrolment = try Enrolment(fields)
    let draft = form.provider == nil ? nil : try sandboxes.seeds.device(from: fields, in: sandbox)
    try fields.requireAllRead(of: Self.newDevice)
    let number = draft.map { PhoneNumber($0.holder) } ?? form.number
    guard draft != nil || number != nil else {
      throw fields.mismatch("number", expected: PhoneNumber.expected)
    }
    let isNew = try number.map { try sandbox.subscribers.recorded($0) == nil } ?? false
    if let number {
      let subscriber = try sandbox.subscribers[number]
      guard subscriber.lineType == .mobile else {
        throw fields.mismatch("number", expected: "a mobile line, not \(subscriber.lineType.rawValue)")
      }
      try sandbox.subscribers.keep(subscriber)
      try sandbox.checkLimits()
    }
    if let draft {
      let device: Device
      do {
        device = try register(draft, enrolment, fields, in: sandbox)
      } catch {
        // The error keeps the requests to the provider in the journal, but not the handset.
        if let number, isNew { _ = try sandbox.subscribers.forget(number) }
        throw error
      }
      try sandbox.checkLimits()
      return DeviceView.schema.response(DeviceView(device, in: sandbox), status: 201)
    }
    let handset = try HandsetView(holder: number?.description ?? "", in: sandbox)
    return HandsetView.schema.response(handset, status: 201)
  }

  func fetchDevice(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    if let number = PhoneNumber(id) {
      return HandsetView.schema.response(try HandsetView(holder: number.description, in: sandbox))
    }
    return DeviceView.schema.response(DeviceView(try device(id, in: sandbox), in: sandbox))
  }

  /// Changes an app, or all apps on the handset of a number.
  func putDevice(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let change = try request.decodeBody(DeviceChange.self)
    let (id, fields) = (request[parameter: "id"], try request.json)
    guard let number = PhoneNumber(id) else {
      let device = try self.change(device(id, in: sandbox), as: change, fields, in: sandbox)
      return DeviceView.schema.response(DeviceView(device, in: sandbox))
    }
    if let token = change.pushToken == nil ? (change.apnsToken == nil ? nil : "apnsToken") : "pushToken" {
      throw fields.mismatch(token, expected: "nothing, because the path names a handset, not an app")
    }
    let devices = try sandbox.devices.all(of: number.description)
    guard !devices.isEmpty else { throw ControlProblem.notFound("device on \(number)") }
    for device in devices { _ = try self.change(device, as: change, fields, in: sandbox) }
    return HandsetView.schema.response(try HandsetView(holder: number.description, in: sandbox))
  }

  private func change(
    _ device: Device, as change: DeviceChange, _ fields: Fields, in sandbox: Sandbox
  ) throws -> Device {
    var draft = device.draft
    draft.tokenState = change.state ?? draft.tokenState
    try draft.mergeState(fields, in: sandbox)
    guard device.draft.handset.condition != .appDeleted || draft.handset.condition == .appDeleted else {
      throw ControlProblem(409, "the app was deleted; register it again with POST /control/devices")
    }
    var device = device
    guard change.apnsToken == nil || device.draft.platform == .ios else {
      throw FieldError(
        path: "apnsToken", expected: "nothing, because the platform is not ios", found: "a token")
    }
    let token = change.pushToken == device.draft.pushToken ? nil : change.pushToken
    let apnsToken = change.apnsToken == device.draft.apnsToken ? nil : change.apnsToken
    if token != nil || apnsToken != nil {
      device = try sandbox.devices.rotate(device, to: token, apnsToken: apnsToken)
    }
    return try sandbox.devices.change(
      device, tokenState: change.state, isOnline: change.online, handset: draft.handset)
  }

  func rotateToken(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let device = try device(request[parameter: "id"], in: sandbox)
    let token = try request.decodeBody(NewToken.self).pushToken ?? sandbox.devices.freshToken()
    let apnsToken = device.draft.platform == .ios ? sandbox.devices.freshAPNsToken() : nil
    let rotated = try sandbox.devices.rotate(device, to: token, apnsToken: apnsToken)
    return DeviceView.schema.response(DeviceView(rotated, in: sandbox))
  }

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

  /// The device of an id; `latest` is the newest registration.
  func device(_ id: String, in sandbox: Sandbox) throws -> Device {
    let found = id == "latest" ? try sandbox.devices.latest : try knownDevice(id, in: sandbox)
    guard let found, found.end == nil else { throw ControlProblem.notFound("device \(id)") }
    return found
  }

  /// The device with an id or a token, which is the id of a handset without a number; registered or not.
  func knownDevice(_ id: String, in sandbox: Sandbox) throws -> Device? {
    try sandbox.devices.find(id) ?? sandbox.devices.find(anyToken: id)
  }
}

struct DeviceChange: RequestBody {
  var pushToken: String?
  var apnsToken: String?
  var state: TokenState?
  var online: Bool?
  /// The members that the body names. They are merged into the state of each app.
  var handset = HandsetState()

  static let schema = Schema<DeviceChange>(
    "DeviceChange", "A change of a registered app, or of all apps on a handset.",
    [
      DeviceForm.pushTokenField(\.pushToken, "A new token; the old one becomes invalid."),
      DeviceForm.apnsTokenField(\.apnsToken, "The same at Apple's gateway, on iOS only."),
      DeviceForm.stateField(\.state), DeviceForm.onlineField(\.online),
    ] + HandsetState.schema.fields.map { $0.lifted(\.handset) })
}

struct NewToken: RequestBody {
  var pushToken: String?

  static let schema = Schema<NewToken>(
    "NewToken", "A new push token.",
    [DeviceForm.pushTokenField(\.pushToken, "The new token; generated by default.")])
}

struct DeviceView: Sendable {
  let id: String
  let device: Device

  init(_ device: Device, in sandbox: Sandbox) {
    id = sandbox.devices.identifier(of: device)
    self.device = device
  }

  static let schema = Schema<DeviceView>(
    "Device", "An app that is registered on a handset.",
    [
      .readOnly("id", .string, "The id.") { $0.id },
      .readOnly("number", .string, "The handset's number, or a token if there is no number.") {
        $0.device.draft.holder
      },
      .readOnly("provider", .string, "The provider that the app is registered with.") {
        $0.device.draft.provider
      },
      .readOnly("app", .string, "The app's name.") { $0.device.draft.app },
      .readOnly("platform", .word, "The handset's operating system.") { $0.device.draft.platform },
      .readOnly("pushToken", .string, "The token for pushes to the app; null if it gets no pushes.") {
        $0.device.draft.pushToken
      },
      .readOnly("apnsToken", .string, "The app's token at Apple's gateway; null on Android.") {
        $0.device.draft.apnsToken
      },
      .readOnly("state", .tokenState, "The state of the tokens.") { $0.device.tokenState },
      .readOnly("online", .boolean, "False if the handset is offline.") { $0.device.draft.isOnline },
      .readOnly("behaviour", .word, "The person's automatic answer; null: that of the number's record.") {
        $0.device.draft.handset.behaviour
      },
      .readOnly("answerAfterMs", .milliseconds, "How long the person needs for an automatic answer.") {
        $0.device.draft.handset.answerAfter ?? .zero
      },
      .readOnly("condition", .word, "The state of the handset.") {
        $0.device.draft.handset.condition ?? .ready
      },
      .readOnly("clockOffsetSeconds", .integer, "How far the handset's clock is ahead of the sandbox's.") {
        $0.device.draft.handset.clockOffset ?? 0
      },
      .readOnly("publicKey", .string, "SubjectPublicKeyInfo in base64.") { $0.device.publicKey },
      .readOnly("registeredAt", .preciseTimestamp, "The time of the registration.") {
        $0.device.registeredAt
      },
    ])
}

/// A number with the apps on its handset.
struct HandsetView: Sendable {
  let holder: String
  let subscriber: Subscriber?
  let apps: [DeviceView]

  init(holder: String, in sandbox: Sandbox) throws {
    self.holder = holder
    subscriber = try PhoneNumber(holder).map { try sandbox.subscribers[$0] }
    apps = try sandbox.devices.all(of: holder).map { DeviceView($0, in: sandbox) }
  }

  /// False for a line that cannot have a handset.
  var isListed: Bool { subscriber?.lineType == .mobile || !apps.isEmpty }

  static let page = PageSchema<HandsetView, String>("devices", schema, "The handsets, ordered by number.")

  static let schema = Schema<HandsetView>(
    "Handset", "A handset with its apps.",
    [
      .readOnly("id", .string, "The handset's number, or a token if there is no number.") {
        $0.holder
      },
      .readOnly("number", .string, "The same as id.") { $0.holder },
      .readOnly("operator", .string, "The network's name.") { $0.subscriber?.operatorName },
      .readOnly("country", .countryCode, "ISO 3166-1 alpha-2.") { $0.subscriber?.country },
      .readOnly("pushes", .word, "The person's automatic reaction to challenges.") {
        $0.subscriber?.pushReaction
      },
      .readOnly("apps", .objects(DeviceView.schema), "The registered apps.") { $0.apps },
    ])
}

/// Apps on virtual handsets.
extension ControlAPI {
  static let newDevice = ObjectSchema(
    "NewDevice", DeviceForm.schema.summary,
    DeviceForm.schema.object.members + Enrolment.schema.object.members,
    constraints: DeviceForm.schema.constraints)

  /// Registers an app as the provider's SDK does.
  func register(
    _ draft: Device.Draft, _ enrolment: Enrolment, _ fields: Fields, in sandbox: Sandbox
  ) throws -> Device {
    let known = sandbox.mobileSDK(of: draft.provider)?.members ?? []
    for member in enrolment.members where !known.contains(member) {
      throw fields.mismatch(
        member.rawValue, expected: "nothing, because apps of \(draft.provider) enrol without it")
    }
    do {
      return try sandbox.devices.enrol(draft, enrolment)
    } catch let refusal as AppRefusal {
      throw ControlProblem(409, "the app did not enrol: \(refusal)")
    }
  }
}
