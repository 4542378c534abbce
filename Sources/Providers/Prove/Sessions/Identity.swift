import Domain
import JSON
import ProviderKit

/// A customer of a client: the vendor's id of one number. Source: contract 5.8.
struct Identity: Equatable, Sendable {
  var proveID = ""
  var clientID = ""
  /// E.164.
  var number = ""

  static func find(_ proveID: String, of client: Client, in sandbox: Sandbox) throws -> Identity? {
    guard let found = try table.find(proveID, in: sandbox), found.clientID == client.id else { return nil }
    return found
  }

  /// The identity of a number; the first call creates it.
  static func ofNumber(_ number: PhoneNumber, clientID: String, in sandbox: Sandbox) throws -> Identity {
    let key = "\(clientID) \(number)"
    if let proveID = try byNumber.find(key, in: sandbox), let known = try table.find(proveID, in: sandbox) {
      return known
    }
    let new = Identity(
      proveID: newUUID(.identity, in: sandbox), clientID: clientID, number: number.description)
    try table.save(new, as: new.proveID, group: clientID, in: sandbox)
    try byNumber.save(new.proveID, as: key, in: sandbox)
    return new
  }

  private static let schema = Schema<Identity>(
    nil, "An identity.",
    [
      .required("proveId", \.proveID, .string, "The id."),
      .required("clientId", \.clientID, .string, "Whose customer it is."),
      .required("number", \.number, .e164, "The number."),
    ])
  private static let table = RecordTable("identity", of: ProveProvider.name, schema) { Identity() }
  /// From client and number to the id.
  private static let byNumber = RecordTable<String>(
    "identity of number", of: ProveProvider.name, decode: { try $0.string("proveId") },
    encode: { $1.member("proveId", $0) })
}
