import Domain
import JSON
import ProviderKit

/// The account's list of numbers that are let through, or of those that are held up. Source: contract 6.1.
enum NumberList: String, CaseIterable {
  /// Numbers that the fraud rules pass over.
  case allow
  /// Numbers that nothing is sent to.
  case block

  /// A number on a list.
  struct Entry {
    /// The number.
    let number: PhoneNumber
    /// When it was put there.
    let createdAt: Timestamp

    fileprivate init(_ fields: Fields) throws {
      number = try fields.phoneNumber("number")
      createdAt = try fields.timestamp("createdAt")
    }
  }

  /// The list that a number is on; of both, the one that holds it up. Source: contract 6.1.
  static func holding(_ number: PhoneNumber, in sandbox: Sandbox) throws -> NumberList? {
    try [.block, .allow].first { try $0.entry(number, in: sandbox) != nil }
  }

  /// Puts a number on the list; one that is there already stays as it is.
  func add(_ number: PhoneNumber, in sandbox: Sandbox) throws {
    guard try entry(number, in: sandbox) == nil else { return }
    try records.keep(number.description, in: sandbox) {
      $0.member("number", number.description)
      $0.member("createdAt", sandbox.clock.now.milliseconds)
    }
  }

  /// Takes a number off the list, be it there or not.
  func remove(_ number: PhoneNumber, in sandbox: Sandbox) throws {
    try records.forget(number.description, in: sandbox)
  }

  /// All of the list, oldest first.
  func entries(in sandbox: Sandbox) throws -> [Entry] {
    try records.list(in: sandbox, as: Entry.init).map(\.record)
  }

  private func entry(_ number: PhoneNumber, in sandbox: Sandbox) throws -> Entry? {
    try records.find(number.description, in: sandbox, as: Entry.init)
  }

  private var records: Records { Records("\(rawValue) list") }
}
