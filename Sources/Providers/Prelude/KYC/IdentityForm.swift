import Domain
import JSON
import ProviderKit

/// What an app says of a person, one member for each attribute. Source: contract 9.
struct IdentityForm {
  /// What it says, in the vendor's order.
  let claims: [IdentityClaim]

  /// Reads the body; an attribute that is absent or empty is not asked about.
  init(_ fields: Fields) throws {
    claims = try IdentityAttribute.allCases.compactMap { attribute in
      guard let value = try fields.optionalString(attribute.rawValue), !value.isEmpty else { return nil }
      return IdentityClaim(attribute: attribute, value: value)
    }
    let birthdate = claims.first { $0.attribute == .birthdate }?.value
    guard birthdate.map(Self.isDay) ?? true else {
      throw Problem(.invalidDateFormat, "birthdate has to be a day, YYYY-MM-DD", param: "birthdate")
    }
  }

  private static func isDay(_ text: String) -> Bool {
    text.utf8.count == 10 && Timestamp(iso8601: text + "T00:00:00Z") != nil
  }
}
