import Domain
import JSON
import ProviderKit

/// A name that messages of the account may come from. Source: contract 6.2.
struct SenderID {
  /// Whether it may be used.
  enum Status: String, CaseIterable {
    /// It may.
    case approved
    /// Nobody has decided yet.
    case pending
    /// It may not.
    case rejected
  }

  /// The name.
  let name: String
  /// Whether it may be used.
  let status: Status

  /// A name with what was decided about it.
  init(_ name: String, _ status: Status) {
    self.name = name
    self.status = status
  }

  /// Why it may not be used, where somebody has said so.
  var reason: String? {
    status == .rejected ? "the sandbox rejects names that begin with REJECT" : nil
  }

  /// A name that was submitted.
  static func find(_ name: String, in sandbox: Sandbox) throws -> SenderID? {
    try records.find(name, in: sandbox, as: SenderID.init)
  }

  /// Whether a name was submitted and may be used.
  static func isApproved(_ name: String, in sandbox: Sandbox) throws -> Bool {
    try find(name, in: sandbox)?.status == .approved
  }

  /// All of the account, oldest first.
  static func all(in sandbox: Sandbox) throws -> [SenderID] {
    try records.list(in: sandbox, as: SenderID.init).map(\.record)
  }

  /// Submits a name; what was decided about it before stays.
  static func submit(_ name: String, in sandbox: Sandbox) throws -> SenderID {
    if let known = try find(name, in: sandbox) { return known }
    let sender = SenderID(name, decision(about: name))
    try sender.keep(in: sandbox)
    return sender
  }

  /// Keeps what was decided.
  func keep(in sandbox: Sandbox) throws {
    try Self.records.keep(name, in: sandbox) {
      $0.member("name", name)
      $0.member("status", status.rawValue)
    }
  }

  /// Whether a text can name a sender: a number, or up to 11 letters, digits and separators, not all blank.
  static func isWellFormed(_ name: String) -> Bool {
    if PhoneNumber(name) != nil { return true }
    return (1...11).contains(name.utf8.count) && name.utf8.allSatisfy(isUsable)
      && name.utf8.contains { $0 != 0x20 }
  }

  private init(_ fields: Fields) throws {
    let word = try fields.string("status")
    guard let status = Status(rawValue: word) else {
      preconditionFailure("the store holds no such status: \(word)")
    }
    self.init(try fields.string("name"), status)
  }

  /// What the sandbox decides at once, by how the name begins. Source: contract 6.2.
  private static func decision(about name: String) -> Status {
    if name.hasPrefix("REJECT") { return .rejected }
    return name.hasPrefix("OK") ? .approved : .pending
  }

  private static func isUsable(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || " -_.&".utf8.contains(byte)
  }

  private static let records = Records("sender id")
}
