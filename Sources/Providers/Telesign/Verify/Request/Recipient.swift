import Domain
import JSON
import ProviderKit

/// Who is to be verified. Source: contract 4.2.
struct Recipient {
  /// The digits of the number.
  let phoneNumber: String?
  /// The same as a number.
  let number: Number?
  /// Where pushes go.
  let pushToken: String?
  let email: String?

  /// The recipient of a request; nothing is sent to numbers that may be somebody's own.
  init(_ fields: Fields, _ call: Call) throws {
    if let unknown = fields.names.first(where: { !Self.members.contains($0) }) {
      throw fields.mismatch(unknown, expected: "no such member: one of \(Self.members)")
    }
    let text = try Self.phoneNumber(fields)
    number = try text.map(call.number)
    phoneNumber = number?.digits
    pushToken = try fields.optionalText("push_app_token", expected: "a token") { !$0.isEmpty }
    email = try fields.optionalString("email")
    if let email, !EmailAddress.isValid(email) { throw Problem(3119, in: .omnichannel) }
    guard phoneNumber != nil || pushToken != nil || email != nil else {
      throw Problem(3110, in: .omnichannel).because("recipient: expected one of \(Self.members)")
    }
  }

  /// Refuses a policy whose methods do not reach the recipient. A device that registers has no token yet.
  func check(_ policy: VerificationPolicy, registers: Bool) throws {
    for entry in policy.entries {
      switch entry.method {
      case .email where email == nil: throw Problem(3309, in: .omnichannel)
      case .email: break
      case _ where phoneNumber == nil: throw Problem(3302, in: .omnichannel)
      case .push where pushToken == nil && !registers:
        throw Problem(3110, in: .omnichannel).because("recipient.push_app_token: the method push needs it")
      default: break
      }
    }
  }

  /// What is proven to be held: the number, or the address of who has none.
  var destination: String { number?.number.description ?? email?.lowercased() ?? "" }

  /// Writes the members as they came.
  func write(to json: inout JSONWriter) {
    if let phoneNumber { json.member("phone_number", phoneNumber) }
    if let pushToken { json.member("push_app_token", pushToken) }
    if let email { json.member("email", email) }
  }

  /// Reads what `write` wrote.
  init(kept fields: Fields) throws {
    phoneNumber = try fields.optionalString("phone_number")
    number = phoneNumber.flatMap { Number($0, Settings()) }
    pushToken = try fields.optionalString("push_app_token")
    email = try fields.optionalString("email")
  }

  private static let members = ["phone_number", "push_app_token", "email"]

  /// A number that is no text is an invalid number, not a broken body.
  private static func phoneNumber(_ fields: Fields) throws -> String? {
    do {
      return try fields.optionalString(members[0])
    } catch {
      throw Problem(3101, in: .omnichannel).because("\(error)")
    }
  }
}
