import Domain
import ProviderKit

/// What a request may say of whoever it is made for. Source: contract 9.1, 10.1 and 11.
struct Circumstances: Equatable {
  /// The customer's own name for the request, repeated in answers.
  let externalID: String?
  /// What the user is about to do.
  let lifecycleEvent: String?
  /// Where the user's request came from.
  let originatingIP: String?
  /// The user's email address.
  let emailAddress: String?

  /// Reads and checks what is there; `readsAccount` is whether the user's account, device and email address may
  /// be told.
  init(_ submission: Submission, in family: Family, readsAccount: Bool = false) throws {
    func read(
      _ parameter: Parameter, expected: String, where isValid: (String) -> Bool
    ) throws -> String? {
      guard let text = try submission.text(parameter.rawValue) else { return nil }
      guard isValid(text) else {
        throw Problem(parameter.code(in: family), in: family)
          .because("\(parameter.rawValue): expected \(expected)")
      }
      return text
    }
    lifecycleEvent = try read(
      .lifecycleEvent, expected: "one of \(Self.lifecycleEvents.joined(separator: ", "))",
      where: Self.lifecycleEvents.contains)
    originatingIP = try read(
      .originatingIP, expected: "an address of IPv4 or IPv6", where: IPAddress.isValid)
    externalID = try read(.externalID, expected: "up to 100 characters of ASCII") {
      $0.utf8.count <= 100 && $0.utf8.allSatisfy { $0 < 0x80 }
    }
    guard readsAccount else {
      emailAddress = nil
      return
    }
    _ = try read(.accountID, expected: "up to 255 characters") { $0.count <= 255 }
    _ = try read(.deviceID, expected: "up to 255 characters") { $0.count <= 255 }
    emailAddress = try read(.emailAddress, expected: "an email address", where: EmailAddress.isValid)
  }

  /// What the user may be about to do. Source: contract 11.
  private static let lifecycleEvents = ["create", "sign-in", "transact", "update", "delete"]
}

private enum Parameter: String {
  case lifecycleEvent = "account_lifecycle_event"
  case originatingIP = "originating_ip"
  case externalID = "external_id"
  case accountID = "account_id"
  case deviceID = "device_id"
  case emailAddress = "email_address"

  /// The number of the refusal. Source: contract 9.1, 9.2, 10.4 and 11; the legacy family has one for all.
  func code(in family: Family) -> Int {
    switch (self, family) {
    case (_, .legacy): -40006
    case (.externalID, .omnichannel): 3103
    case (.lifecycleEvent, .omnichannel): 3104
    case (.originatingIP, .omnichannel): 3105
    case (_, .omnichannel): 3110
    case (_, .silent): 10004
    case (.accountID, .flat): 11002
    case (.lifecycleEvent, .flat): 11003
    case (.deviceID, .flat): 11006
    case (.emailAddress, .flat): 11007
    case (.originatingIP, .flat): 11010
    case (.externalID, .flat): 11016
    }
  }
}
