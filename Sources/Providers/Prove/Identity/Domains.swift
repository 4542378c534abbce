import Domain
import HTTP
import JSON
import ProviderKit

// `/v3/domain`. Source: contract 7.7.

func fetchDomain(_ context: RequestContext) throws -> Response {
  let domain = try context.domain
  return context.response { json in
    json.member("pcid", domain.pcid)
    json.member("name", domain.name)
    json.member("issuerId", domain.issuerID)
  }
}

/// Asks another domain for a link. A repeated request changes the scopes.
func linkDomain(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let own = try context.domain
  let other = try context.otherDomain(body)
  var link =
    try DomainLink.find(from: own.pcid, to: other.pcid, in: context.sandbox)
    ?? DomainLink(from: own.pcid, to: other.pcid, requestedAt: context.now)
  link.scopes = try body.fields.optionalStrings("scopes") ?? []
  try link.save(in: context.sandbox)
  return context.response { $0.member("success", true) }
}

func confirmDomainLink(_ context: RequestContext) throws -> Response {
  let own = try context.domain
  let other = try context.otherDomain(context.body)
  guard var link = try DomainLink.find(from: other.pcid, to: own.pcid, in: context.sandbox) else {
    throw APIError(.stepNotAllowed).because("domain \(other.pcid) has not asked for a link")
  }
  link.acceptedAt = link.acceptedAt ?? context.now
  try link.save(in: context.sandbox)
  return context.response { $0.member("success", true) }
}

/// Ends a link or a request in either direction. The client's own domain may be left out.
func unlinkDomain(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let own = try context.domain.pcid
  let from = try body.text("pcidFrom") ?? own
  let to = try body.text("pcidTo") ?? own
  guard (from == own) != (to == own), let link = try DomainLink.find(from: from, to: to, in: context.sandbox)
  else {
    throw APIError.malformed(
      from == own ? "pcidTo" : "pcidFrom", expected: "the pcid of a domain with a link to or from this one")
  }
  try link.delete(in: context.sandbox)
  return context.response { $0.member("success", true) }
}

func listDomainLinks(_ context: RequestContext) throws -> Response {
  let own = try context.domain.pcid
  let links = try DomainLink.all(in: context.sandbox)
  let from = try links.filter { $0.to == own }.compactMap { try context.entry(of: $0, domain: $0.from) }
  let to = try links.filter { $0.from == own }.compactMap { try context.entry(of: $0, domain: $0.to) }
  return context.response { json in
    json.write("linkedFrom", from.filter(\.isAccepted))
    json.write("linkedTo", to.filter(\.isAccepted))
    json.write("requestsFrom", from.filter { !$0.isAccepted })
    json.write("requestsTo", to.filter { !$0.isAccepted })
  }
}

extension RequestContext {
  fileprivate var domain: ClientDomain {
    get throws { try ClientDomain.of(client.id, in: sandbox) }
  }

  fileprivate func otherDomain(_ body: Body) throws -> ClientDomain {
    let pcid = try body.requiredText("pcid")
    guard let other = try ClientDomain.find(pcid: pcid, in: sandbox), other.clientID != client.id else {
      throw APIError.malformed("pcid", expected: "the pcid of another domain")
    }
    return other
  }

  /// The identities of linked domains with the same number.
  func linkedIdentities(of identity: Identity) throws -> [(domain: ClientDomain, identity: Identity)] {
    guard let number = PhoneNumber(identity.number) else { return [] }
    return try linkedDomains.compactMap { domain in
      guard let found = try Identity.find(number, clientID: domain.clientID, in: sandbox), found.isEnrolled
      else { return nil }
      return (domain, found)
    }
  }

  /// An identity of this domain or of a linked one.
  func identityOfLinkedDomain(_ proveID: String) throws -> Identity? {
    if let own = try Identity.find(proveID, of: client, in: sandbox) { return own }
    return try Identity.all(in: sandbox).first { identity in
      guard identity.proveID == proveID else { return false }
      return try linkedDomains.contains { $0.clientID == identity.clientID }
    }
  }

  /// Each once, whoever asked for the link.
  private var linkedDomains: [ClientDomain] {
    get throws {
      let links = try DomainLink.all(in: sandbox).filter { $0.acceptedAt != nil }
      guard !links.isEmpty else { return [] }
      let own = try domain.pcid
      var others: [String] = []
      for link in links where link.from == own || link.to == own {
        let other = link.from == own ? link.to : link.from
        if !others.contains(other) { others.append(other) }
      }
      return try others.compactMap { try ClientDomain.find(pcid: $0, in: sandbox) }
    }
  }

  fileprivate func entry(of link: DomainLink, domain pcid: String) throws -> LinkEntry? {
    try ClientDomain.find(pcid: pcid, in: sandbox).map { LinkEntry(link: link, domain: $0) }
  }
}

/// A link as the other side's entry in a list.
private struct LinkEntry {
  let link: DomainLink
  let domain: ClientDomain

  var isAccepted: Bool { link.acceptedAt != nil }

  func write(to json: inout JSONWriter) {
    json.member("pcid", domain.pcid)
    json.member("name", domain.name)
    if let acceptedAt = link.acceptedAt {
      json.member("acceptedAt", acceptedAt.unixSeconds)
      json.member("acceptedString", acceptedAt.iso8601)
    } else {
      json.member("requestedAt", link.requestedAt.unixSeconds)
      json.member("requestedString", link.requestedAt.iso8601)
    }
    if !link.scopes.isEmpty { json.member("scopes", link.scopes) }
  }
}

extension JSONWriter {
  /// Empty lists are left out.
  fileprivate mutating func write(_ name: StaticString, _ entries: [LinkEntry]) {
    guard !entries.isEmpty else { return }
    array(name, entries) { json, entry in json.value { entry.write(to: &$0) } }
  }
}
