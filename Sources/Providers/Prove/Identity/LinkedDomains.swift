import ProviderKit

/// The domains with an accepted link to or from a client's own. Source: contract 7.7.
struct LinkedDomains {
  private let client: Client
  private let sandbox: Sandbox

  init(of client: Client, in sandbox: Sandbox) {
    self.client = client
    self.sandbox = sandbox
  }

  /// The identities of these domains with the same number.
  func identities(like identity: Identity) throws -> [(domain: ClientDomain, identity: Identity)] {
    guard let number = PhoneNumber(identity.number) else { return [] }
    return try all.compactMap { domain in
      guard let found = try Identity.find(number, clientID: domain.clientID, in: sandbox), found.isEnrolled
      else { return nil }
      return (domain, found)
    }
  }

  /// An identity of the client's own domain or of one of these.
  func identity(_ proveID: String) throws -> Identity? {
    if let own = try Identity.find(proveID, of: client, in: sandbox) { return own }
    return try Identity.all(in: sandbox).first { identity in
      guard identity.proveID == proveID else { return false }
      return try all.contains { $0.clientID == identity.clientID }
    }
  }

  /// Each once, whoever asked for the link.
  private var all: [ClientDomain] {
    get throws {
      let links = try DomainLink.all(in: sandbox).filter { $0.acceptedAt != nil }
      guard !links.isEmpty else { return [] }
      let own = try ClientDomain.of(client.id, in: sandbox).pcid
      var others: [String] = []
      for link in links where link.from == own || link.to == own {
        let other = link.from == own ? link.to : link.from
        if !others.contains(other) { others.append(other) }
      }
      return try others.compactMap { try ClientDomain.find(pcid: $0, in: sandbox) }
    }
  }
}
