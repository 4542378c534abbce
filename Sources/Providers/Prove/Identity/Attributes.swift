import Domain
import HTTP
import JSON
import ProviderKit

// `GET /v3/discover` and `GET /v3/fetch`. Source: contract 7.5.

func discoverAttributes(_ context: RequestContext) throws -> Response {
  let found = try context.attributes
  return context.response { json in
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
  let all = try context.attributes
  let id = try context.requiredQueryText("attributeId")
  guard let found = all.first(where: { $0.attribute.id == id }) else {
    throw APIError(.identityNotFound).because("the identity has no attribute \(id)")
  }
  return context.response { json in
    json.array("results", [found]) { json, found in
      json.value {
        $0.member("attributeId", found.attribute.id)
        $0.member("attributeValue", found.attribute.value)
        $0.member("issuerId", found.issuerID)
      }
    }
  }
}

extension RequestContext {
  /// What the client's own domain and the linked ones issued about the identity of the query.
  fileprivate var attributes: [(attribute: IdentityAttribute, issuerID: String)] {
    get throws {
      try declareRequestID()
      let proveID = try requiredQueryText("proveId")
      guard let identity = try Identity.find(proveID, of: client, in: sandbox) else {
        throw APIError(.identityNotFound).because("client \(client.id) has no identity \(proveID)")
      }
      let own = (domain: try ClientDomain.of(client.id, in: sandbox), identity: identity)
      let linked = try linkedIdentities(of: identity)
      return ([own] + linked).flatMap { source in
        source.identity.attributes.map { ($0, source.domain.issuerID) }
      }
    }
  }

  fileprivate func requiredQueryText(_ name: String) throws -> String {
    guard let text = try request.query.text(name) else { throw APIError.missing(name) }
    return text
  }
}
