import ProviderKit

// `/v3/domain`. Source: contract 7.7.

func fetchDomain(_ context: RequestContext) throws -> Response {
  let domain = try ownDomain(context)
  return .json(200) { json in
    json.member("pcid", domain.pcid)
    json.member("name", domain.name)
    json.member("issuerId", domain.issuerID)
  }
}

/// Asks another domain for a link. A repeated request changes the scopes.
func linkDomain(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let own = try ownDomain(context)
  let other = try otherDomain(body, context)
  var link =
    try DomainLink.find(from: own.pcid, to: other.pcid, in: context.sandbox)
    ?? DomainLink(from: own.pcid, to: other.pcid, requestedAt: context.now)
  link.scopes = try body.fields.optionalStrings("scopes") ?? []
  try link.save(in: context.sandbox)
  return .json(200) { $0.member("success", true) }
}

func confirmDomainLink(_ context: RequestContext) throws -> Response {
  let own = try ownDomain(context)
  let other = try otherDomain(context.body, context)
  guard var link = try DomainLink.find(from: other.pcid, to: own.pcid, in: context.sandbox) else {
    throw APIError(.stepNotAllowed).because("domain \(other.pcid) has not asked for a link")
  }
  link.acceptedAt = link.acceptedAt ?? context.now
  try link.save(in: context.sandbox)
  return .json(200) { $0.member("success", true) }
}

/// Ends a link or a request in either direction. The client's own domain may be left out.
func unlinkDomain(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let own = try ownDomain(context).pcid
  let from = try body.text("pcidFrom") ?? own
  let to = try body.text("pcidTo") ?? own
  guard (from == own) != (to == own), let link = try DomainLink.find(from: from, to: to, in: context.sandbox)
  else {
    throw APIError.malformed(
      from == own ? "pcidTo" : "pcidFrom", expected: "the pcid of a domain with a link to or from this one")
  }
  try link.delete(in: context.sandbox)
  return .json(200) { $0.member("success", true) }
}

func listDomainLinks(_ context: RequestContext) throws -> Response {
  let own = try ownDomain(context).pcid
  let links = try DomainLink.all(in: context.sandbox)
  let from = try links.filter { $0.to == own }
    .compactMap { try LinkEntry($0, of: $0.from, in: context.sandbox) }
  let to = try links.filter { $0.from == own }
    .compactMap { try LinkEntry($0, of: $0.to, in: context.sandbox) }
  return .json(200) { json in
    json.write("linkedFrom", from.filter(\.isAccepted))
    json.write("linkedTo", to.filter(\.isAccepted))
    json.write("requestsFrom", from.filter { !$0.isAccepted })
    json.write("requestsTo", to.filter { !$0.isAccepted })
  }
}

private func ownDomain(_ context: RequestContext) throws -> ClientDomain {
  try ClientDomain.of(context.client.id, in: context.sandbox)
}

private func otherDomain(_ body: Body, _ context: RequestContext) throws -> ClientDomain {
  let pcid = try body.requiredText("pcid")
  guard let other = try ClientDomain.find(pcid: pcid, in: context.sandbox),
    other.clientID != context.client.id
  else { throw APIError.malformed("pcid", expected: "the pcid of another domain") }
  return other
}

/// A link as the other side's entry in a list.
private struct LinkEntry {
  let link: DomainLink
  let domain: ClientDomain

  /// Nil for a domain that is not known.
  init?(_ link: DomainLink, of pcid: String, in sandbox: Sandbox) throws {
    guard let domain = try ClientDomain.find(pcid: pcid, in: sandbox) else { return nil }
    self.link = link
    self.domain = domain
  }

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
