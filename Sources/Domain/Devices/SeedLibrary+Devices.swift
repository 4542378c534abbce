package import JSON

/// Devices as seeds, exports and the control API have them.
extension SeedLibrary {
  /// What an object says of an app that registers itself. Its name and its token are made up where they are absent;
  /// a key is made when it registers. Without a number its handset is known by its token only.
  package func device(from fields: Fields, in sandbox: Sandbox) throws -> Device.Draft {
    let number = try number(from: fields, in: sandbox)
    let provider = try fields.string("provider")
    let providers = sections.map(\.name)
    guard providers.contains(provider) else {
      throw fields.mismatch("provider", expected: "one of \(providers.joined(separator: ", "))")
    }
    var draft = Device.Draft(
      provider: provider, holder: try number?.description ?? fields.string("pushToken"),
      app: try fields.text("app", atMost: 255) ?? "com.example.app:1.0.0")
    draft.platform = try fields.optionalWord("platform", of: Device.Platform.self) ?? draft.platform
    draft.publicKey = try fields.text("publicKey", atMost: 1024)
    if let word = try fields.optionalString("state") {
      guard let state = TokenState(word) else { throw fields.mismatch("state", expected: TokenState.forms) }
      draft.tokenState = state
    }
    draft.isOnline = try fields.optionalBool("online") ?? true
    draft.pushToken =
      try fields.text("pushToken", atMost: 4096) ?? sandbox.devices.find(like: draft)?.draft.pushToken
      ?? sandbox.devices.freshToken()
    return draft
  }

  private func number(from fields: Fields, in sandbox: Sandbox) throws -> PhoneNumber? {
    guard let text = try fields.optionalString("number") else {
      guard fields.has("pushToken") else {
        throw fields.mismatch("number", expected: "a phone number, or none beside a pushToken")
      }
      return nil
    }
    guard let number = PhoneNumber(text) else {
      throw fields.mismatch("number", expected: "a phone number such as +12025550100")
    }
    let lineType = try sandbox.subscribers[number].lineType
    guard lineType == .mobile else {
      throw fields.mismatch("number", expected: "a mobile line, not \(lineType.rawValue)")
    }
    return number
  }

  /// Registers the apps of a seed, but for those that are registered just so.
  func load(devices: [Fields], into sandbox: Sandbox) throws {
    for fields in devices {
      let draft = try device(from: fields, in: sandbox)
      let known = try sandbox.devices.find(like: draft)?.draft
      let isKnown =
        known?.pushToken == draft.pushToken && known?.platform == draft.platform
        && known?.isOnline == draft.isOnline
        && (draft.tokenState == nil || known?.tokenState == draft.tokenState)
        && (draft.publicKey == nil || known?.publicKey == draft.publicKey)
      if !isKnown { _ = try sandbox.devices.register(draft) }
    }
  }

  /// The apps that are registered on numbers, or on handsets known by their token; keys that the core has made are made
  /// anew elsewhere.
  func devices(of sandbox: Sandbox) throws -> [JSON] {
    let known = try sandbox.devices.all.filter {
      PhoneNumber($0.draft.holder) != nil || $0.draft.holder == $0.draft.pushToken
    }
    return try known.map { device in
      try JSON(
        parsing: JSONWriter.object { json in
          if PhoneNumber(device.draft.holder) != nil { json.member("number", device.draft.holder) }
          json.member("provider", device.draft.provider)
          json.member("app", device.draft.app)
          json.member("platform", device.draft.platform.rawValue)
          if let token = device.draft.pushToken { json.member("pushToken", token) }
          if device.tokenState != .ok { json.member("state", device.tokenState.text) }
          if !device.draft.isOnline { json.member("online", false) }
          if device.privateKey == nil { json.member("publicKey", device.publicKey) }
        })
    }
  }
}

extension Devices {
  /// The device of the same app on the same handset.
  fileprivate func find(like draft: Device.Draft) throws -> Device? {
    try all(of: draft.holder, provider: draft.provider).last { $0.draft.app == draft.app }
  }
}

extension Fields {
  fileprivate func text(_ name: String, atMost most: Int) throws(FieldError) -> String? {
    try optionalText(name, expected: "1 to \(most) bytes") { (1...most).contains($0.utf8.count) }
  }
}
