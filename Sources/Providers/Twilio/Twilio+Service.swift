import Domain
import HTTP
import JSON

extension Twilio {
  /// A Verify Service: what its owner has set, over the vendor's defaults. Source: contract 3.
  struct Service: Equatable {
    /// `VA…`.
    let sid: String
    /// The account it belongs to.
    let account: String
    /// When it was made.
    let createdAt: Timestamp
    /// When it changed last.
    var updatedAt: Timestamp
    /// Parameters that were set, by the names the vendor's requests have for them.
    var settings: [JSON.Member]

    /// A new one with nothing set.
    init(sid: String, account: String, at now: Timestamp) {
      self.sid = sid
      self.account = account
      createdAt = now
      updatedAt = now
      settings = []
    }

    /// What a parameter is set to, or its default.
    subscript(parameter: String) -> JSON {
      get {
        settings.first { $0.name == parameter }?.value
          ?? ServiceSetting.all.first { $0.parameter == parameter }?.fallback ?? .null
      }
      set {
        settings.removeAll { $0.name == parameter }
        if newValue != .null { settings.append(JSON.Member(name: parameter, value: newValue)) }
      }
    }

    /// A parameter that is on or off.
    func isOn(_ parameter: String) -> Bool { self[parameter] == .bool(true) }

    /// The name in its messages.
    var friendlyName: String {
      if case .string(let name) = self["FriendlyName"] { name } else { "" }
    }

    /// Digits of its codes.
    var codeLength: Int {
      if case .integer(let length) = self["CodeLength"] { Int(length) } else { 6 }
    }
  }
}

/// The services of a sandbox, on its shelf.
extension Twilio.Service {
  static let section = Shelf.Section(provider: Twilio.name, kind: "service")

  /// The service that a path names, for a caller who may see it.
  static func find(_ sid: String, for caller: Twilio.Caller, in sandbox: Sandbox) throws -> Twilio.Service? {
    let service = try sandbox.shelf.read(sid, in: section, as: Twilio.Service.init)
    return service.flatMap { caller.maySee($0.account) ? $0 : nil }
  }

  /// Makes a Service that nobody has created, for an account that nobody has seeded.
  static func adopt(_ sid: String, for caller: Twilio.Caller, in sandbox: Sandbox) throws -> Twilio.Service {
    var service = Twilio.Service(sid: sid, account: caller.account, at: sandbox.clock.now)
    service["FriendlyName"] = .string("Sandbox Service")
    try service.keep(in: sandbox)
    return service
  }

  /// Reads a record of the shelf.
  init(_ item: Shelf.Item) throws {
    let fields = try Fields(Array(item.record.utf8))
    sid = item.key
    account = try fields.string("account")
    createdAt = Timestamp(milliseconds: Int64(try fields.int("createdAt")))
    updatedAt = Timestamp(milliseconds: Int64(try fields.int("updatedAt")))
    guard case .object(let members) = try fields.json("settings") else { preconditionFailure("no settings") }
    settings = members
  }

  /// Keeps it under its SID, at a place drawn before, or a new one.
  func keep(in sandbox: Sandbox, ordinal: Int? = nil) throws {
    let record = JSONWriter.object { json in
      json.member("account", account)
      json.member("createdAt", createdAt.milliseconds)
      json.member("updatedAt", updatedAt.milliseconds)
      json.member("settings", JSON.object(settings))
    }
    let item = Shelf.Item(
      ordinal: ordinal ?? sandbox.nextOrdinal(), key: sid, record: String(decoding: record, as: UTF8.self))
    try sandbox.shelf.keep(item, of: account, in: Self.section)
  }

  /// Sets what the form names: empty clears on update and is as if absent on creation.
  mutating func apply(_ form: Form) throws(Twilio.Problem) {
    for setting in Twilio.ServiceSetting.all {
      guard let text = form[setting.parameter] else { continue }
      if text.isEmpty {
        guard !setting.isRequired else { throw .invalid(setting.parameter) }
        self[setting.parameter] = .null
      } else {
        guard let value = setting.kind.read(text) else { throw .invalid(setting.parameter) }
        self[setting.parameter] = value
      }
    }
  }
}
