import JSON

/// What an email address tells by itself. Source: contract, Additions of 2026-11-22.
///
/// The members are those of the provider's example; how it fills them is not public.
struct EmailDetails {
  private let original: String
  private let username: String
  /// The part after a plus sign in the user name.
  private let tag: String?
  private let domain: String

  /// `address` has one `@`.
  init(of address: String) {
    let text = address.lowercased()
    let user = text.prefix { $0 != "@" }
    let name = user.prefix { $0 != "+" }
    original = address
    username = String(name.isEmpty ? user : name)
    tag = name.isEmpty || name.count == user.count ? nil : String(user.dropFirst(name.count + 1))
    domain = String(text.dropFirst(user.count + 1))
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
      // The provider's model is not public.
      json.member("gibberish_probability", 0.0)
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

  private static let disposableDomains: Set<String> = [
    "10minutemail.com", "guerrillamail.com", "mailinator.com", "yopmail.com",
  ]
}
