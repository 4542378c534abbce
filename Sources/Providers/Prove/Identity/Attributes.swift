import ProviderKit

// `GET /v3/discover` and `GET /v3/fetch`. Source: contract 7.5.

func discoverAttributes(_ context: RequestContext) throws -> Response {
  let found = try issuedAttributes(for: context)
  return .json(200) { json in
    guard !found.isEmpty else { return }
    json.array("results", found) { json, found in
      json.value {
        $0.member("attributeId", found.attribute.id)
        $0.member("issuerId", found.issuerID)
      }
    }
  }
}

func fetchAttribute(_ context: RequestContext) throws -> Response {
  let all = try issuedAttributes(for: context)
  let id = try requiredText("attributeId", in: context.request.query)
  guard let found = all.first(where: { $0.attribute.id == id }) else {
    throw APIError(.identityNotFound).because("the identity has no attribute \(id)")
  }
  return .json(200) { json in
    json.array("results", [found]) { json, found in
      json.value {
        $0.member("attributeId", found.attribute.id)
        $0.member("attributeValue", found.attribute.value)
        $0.member("issuerId", found.issuerID)
      }
    }
  }
}

/// What the client's own domain and the linked ones issued about the identity of the query.
private func issuedAttributes(
  for context: RequestContext
) throws -> [(attribute: IdentityAttribute, issuerID: String)] {
  let (client, sandbox) = (context.client, context.sandbox)
  try Body.declareRequestID(of: context)
  let proveID = try requiredText("proveId", in: context.request.query)
  guard let identity = try Identity.find(proveID, of: client, in: sandbox) else {
    throw APIError(.identityNotFound).because("client \(client.id) has no identity \(proveID)")
  }
  let own = (domain: try ClientDomain.of(client.id, in: sandbox), identity: identity)
  let linked = try LinkedDomains(of: client, in: sandbox).identities(like: identity)
  return ([own] + linked).flatMap { source in
    source.identity.attributes.map { ($0, source.domain.issuerID) }
  }
}

private func requiredText(_ name: String, in query: Form) throws -> String {
  guard let text = query.text(name) else { throw APIError.missing(name) }
  return text
}
