import ProviderKit

/// The data packages of Lookup, in the order of responses. Source: contract 16.1.
enum LookupPackage: String, CaseIterable, Sendable {
  case callerName = "caller_name"
  case simSwap = "sim_swap"
  case callForwarding = "call_forwarding"
  case lineStatus = "line_status"
  case lineType = "line_type_intelligence"
  case identityMatch = "identity_match"
  case reassignedNumber = "reassigned_number"
  case smsPumpingRisk = "sms_pumping_risk"
  case qualityScore = "phone_number_quality_score"
  case preFill = "pre_fill"
}

/// What a lookup asks: the query of a single one, or an entry of a batch. Source: contract 16.1.
struct LookupQuery {
  /// What an app says about the person behind a number.
  enum Claim: String, CaseIterable {
    case firstName = "FirstName"
    case lastName = "LastName"
    case addressLine1 = "AddressLine1"
    case addressLine2 = "AddressLine2"
    case city = "City"
    case state = "State"
    case postalCode = "PostalCode"
    case country = "AddressCountryCode"
    case nationalID = "NationalId"
    case birthday = "DateOfBirth"

    /// In a batch.
    fileprivate var member: String {
      switch self {
      case .firstName: "first_name"
      case .lastName: "last_name"
      case .addressLine1: "address_line1"
      case .addressLine2: "address_line2"
      case .city: "city"
      case .state: "state"
      case .postalCode: "postal_code"
      case .country: "address_country_code"
      case .nationalID: "national_id"
      case .birthday: "date_of_birth"
      }
    }
  }

  /// As in the request.
  let number: String
  let packages: Set<LookupPackage>
  /// ISO 3166-1 alpha-2, for numbers in national format.
  let country: String
  let claims: [Claim: String]
  /// `YYYYMMDD`.
  let lastVerifiedDate: String?
  let verificationSID: String?

  /// The country of numbers in national format, if the request names none.
  static let defaultCountry = "US"

  /// A single lookup.
  init(_ number: String, _ query: Form) throws(APIError) {
    query.declare(["PartnerSubId"])
    self.number = number
    packages = try Self.packages(query.list("Fields"))
    country = query.text("CountryCode") ?? Self.defaultCountry
    var claims: [Claim: String] = [:]
    for claim in Claim.allCases { claims[claim] = query.text(claim.rawValue) }
    self.claims = claims
    lastVerifiedDate = query.text("LastVerifiedDate")
    verificationSID = query.text("VerificationSid")
  }

  /// A lookup of version 1, which names its packages itself. Source: `senders.md` 3
  init(of number: String, _ query: Form) {
    query.declare(["AddOns"])
    self.number = number
    packages = []
    country = query.text("CountryCode") ?? Self.defaultCountry
    claims = [:]
    lastVerifiedDate = nil
    verificationSID = nil
  }

  /// An entry of a batch. Source: `twilio_lookups_v2.json`.
  init(_ fields: Fields) throws {
    number = try fields.string("phone_number")
    packages = try Self.packages(fields.optionalStrings("fields") ?? [])
    country = try fields.optionalString("country_code") ?? Self.defaultCountry
    let identity = try fields.optionalObject("identity_match")
    var claims: [Claim: String] = [:]
    for claim in Claim.allCases { claims[claim] = try identity?.optionalString(claim.member) }
    self.claims = claims.filter { !$0.value.isEmpty }
    lastVerifiedDate = try fields.optionalObject("reassigned_number")?.optionalString("last_verified_date")
    verificationSID = nil
    _ = try fields.optionalObject("sms_pumping_risk")?.optionalString("partner_sub_id")
  }

  private static func packages(_ names: [String]) throws(APIError) -> Set<LookupPackage> {
    var packages: Set<LookupPackage> = []
    for name in names where name != "validation" {
      guard let package = LookupPackage(rawValue: name) else {
        throw .invalidParameter("Fields", expected: "validation, \(LookupPackage.words); found \(name)")
      }
      packages.insert(package)
    }
    return packages
  }
}
