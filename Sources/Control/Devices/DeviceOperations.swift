extension ControlAPI {
  var deviceOperations: [Operation] {
    [
      Operation(
        .deferred(.get, "/control/devices", as: "listDevices", listDevices), access: .participant,
        secret: true,
        "List the handsets with their apps.",
        query: Parameter.namedPage, .page(HandsetView.page)),
      Operation(
        .post("/control/devices", as: "createDevice", createDevice), access: .participant, secret: true,
        "Create a handset for a number. If the body names a provider, also register an app with it.",
        body: Self.newDevice, .json(anyOf: Self.handsetOrDevice, 201)),
      Operation(
        .get("/control/devices/{id}", as: "fetchDevice", fetchDevice), access: .participant, secret: true,
        "Get a handset by its number, or a registered app by its id; `latest` works.",
        .json(anyOf: Self.handsetOrDevice)),
      Operation(
        .put("/control/devices/{id}", as: "putDevice", putDevice), access: .participant, secret: true,
        "Change a registered app: its push token, the person's behaviour, the handset's state. A number means all apps on its handset; `latest` works.",
        body: DeviceChange.schema.object, .json(anyOf: Self.handsetOrDevice)),
      Operation(
        .post("/control/devices/{id}/rotate", as: "rotateToken", rotateToken), access: .participant,
        secret: true,
        "Give a registered app a new push token; the old one becomes invalid.",
        body: NewToken.schema.object, .json(DeviceView.schema)),
      Operation(
        .delete("/control/devices/{id}", as: "deleteDevice", deleteDevice), access: .participant,
        "Remove an app from its handset, or all apps of a number.", .empty),
      Operation(
        .post("/control/devices/{id}/approve", as: "approveOnDevice", approve), access: .participant,
        "Approve the newest challenge of a number, a device or a reference; `latest` works.",
        body: AnswerOptions.schema.object, .json(ChallengeView.schema)),
      Operation(
        .post("/control/devices/{id}/deny", as: "denyOnDevice", deny), access: .participant,
        "Deny the newest challenge of a number, a device or a reference; `latest` works.",
        body: AnswerOptions.schema.object, .json(ChallengeView.schema)),
      Operation(
        .post("/control/devices/{id}/scan", as: "scanOnDevice", scan), access: .participant,
        "Scan a QR code with a device; a number or `latest` works.", body: Scan.schema.object,
        .json(ChallengeView.schema)),
      Operation(
        .post("/control/devices/{id}/open", as: "openOnDevice", openOnDevice), access: .participant,
        secret: true,
        "Open a silent URL on a handset and follow its redirects; `latest` works.",
        body: Opening.schema.object, .json(WalkResult.schema)),
      Operation(
        .post("/control/devices/{id}/passkeys/create", as: "createPasskey", createPasskey),
        access: .participant,
        "Create a passkey on the handset of a number, as navigator.credentials.create() in a browser there.",
        body: PasskeyBody.schema.object, .json(PasskeyView.schema)),
      Operation(
        .post("/control/devices/{id}/passkeys/get", as: "usePasskey", usePasskey), access: .participant,
        "Sign in with a passkey of the handset of a number, as navigator.credentials.get() in a browser there.",
        body: PasskeyBody.schema.object, .json(PasskeyView.schema)),
      Operation(
        .deferred(.get, "/control/pushes", as: "listPushes", listPushes), access: .participant, secret: true,
        "List the pushes to devices.",
        query: Parameter.pushes, .page(PushView.page)),
      Operation(
        .deferred(.get, "/control/pushes/attempts", as: "listPushAttempts", listPushAttempts),
        access: .participant,
        "List all push requests, including rejected ones and dry runs.", query: Parameter.pushAttempts,
        .page(Self.pushAttemptPage)),
      Operation(
        .get("/control/pushes/{id}", as: "fetchPush", fetchPush), access: .participant, secret: true,
        "Get a push; `latest` works. With `.apns` after the id, get the file for an iOS simulator.",
        query: [Parameter.token.member],
        .json(anyOf: [.object(PushView.schema.object), .map(.any)])),
      Operation(
        .delete("/control/pushes", as: "clearPushes", clearPushes), access: .participant, "Delete pushes.",
        query: [Parameter.token.member], .empty),
    ]
  }

  private static let handsetOrDevice: [JSONSchema] = [
    .object(HandsetView.schema.object), .object(DeviceView.schema.object),
  ]
}
