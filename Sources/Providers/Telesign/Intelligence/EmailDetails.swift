import JSON

/// What an email address tells by itself. Source: contract, Additions of 2026-11-22.
///
/// The members are those of the vendor's example; how it fills them is not public.
struct EmailDetails {
  private let original: String
  private let username: String
  /// The part after a plus sign in the user name.
  private let tag: String?
  private let domain: String

  /// `address` has one `@`.
  init(of address: String) {
    let parts = address.lowercased().split(separator: "@", maxSplits: 1)
    let name = parts[0].split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    original = address
    username = String(name[0].isEmpty ? parts[0] : name[0])
    tag = name[0].isEmpty || name.count == 1 ? nil : String(name[1])
    domain = String(parts[1])
  }

  func write(to json: inout JSONWriter) {
    json.object("original") { json in
      json.member("email_address", original)
      json.member("is_valid", true)
    }
    json.object("cleansed") { json in
      json.member("email_address", "\(username)@\(domain)")
      json.member("is_valid", true)
      json.member("username", username)
      json.member("domain", domain)
    }
    json.object("cleansing_details") { json in
      json.member("is_modified", original != "\(username)@\(domain)")
      json.member("gibberish_probability", gibberishProbability)
      json.member("tag", tag)
    }
    json.object("domain_details") { json in
      json.object("general_info") { writeDomain(to: &$0) }
    }
  }

  private func writeDomain(to json: inout JSONWriter) {
    let labels = domain.split(separator: ".")
    let registered = labels.suffix(2).joined(separator: ".")
    let last = labels.last.map(String.init) ?? domain
    json.member("registered_domain", registered)
    json.member("tld", last)
    json.member("tld_type", last.utf8.count == 2 ? "country_code" : "general")
    json.member("is_disposable", Self.disposableDomains.contains(registered))
  }

  /// The share of digits in the user name, with two decimals. The vendor's model is not public.
  private var gibberishProbability: Double {
    let digits = username.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return Double(digits * 100 / username.utf8.count) / 100
  }

  private static let disposableDomains: Set<String> = [
    "10minutemail.com", "guerrillamail.com", "mailinator.com", "yopmail.com",
  ]
}
