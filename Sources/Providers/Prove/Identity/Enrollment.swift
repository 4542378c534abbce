import ProviderKit

// `POST /v3/identity` and `POST /v3/identity/batch`. Source: contract 7.4.

/// Of one batch. Source: contract 3.2 and 7.3.
let maxBatchItems = 1000

/// Enough for a batch of that many items. Source: contract 3.2.
let maxBatchBytes = 1 << 20

func enrollIdentity(_ context: RequestContext) throws -> Response {
  let body = try context.body
  body.declare("clientRequestId")
  let number = try MobileNumber(body.requiredText("phoneNumber"), named: "phoneNumber", in: context)
  _ = try TestUsers(.identityManager, of: context).user(of: number)
  let identity = try Enrollment(body).enroll(number, for: context.client, in: context.sandbox)
  return .json(200) { json in
    json.member("success", true)
    identity.writeID(to: &json)
  }
}

func enrollIdentities(_ context: RequestContext) throws -> Response {
  let body = try context.body
  body.declare("clientRequestId")
  // Older samples name the array `identities`.
  let name = body.fields.has("items") ? "items" : "identities"
  let items = try body.fields.optionalObjects(name, atMost: maxBatchItems) ?? []
  let results = try items.map { try enrollItem(Body($0), in: context) }
  return .json(200) { json in
    guard !results.isEmpty else { return }
    json.array("results", results) { json, result in
      json.value { json in
        switch result {
        case .success(let identity): identity.writeID(to: &json)
        case .failure(let error): json.member("error", error.message)
        }
      }
    }
  }
}

/// Documentation and SDKs disagree about the items, so each shape counts: those with a number, and those with
/// the id of an identity here or in a linked domain.
private func enrollItem(_ item: Body, in context: RequestContext) throws -> Result<Identity, APIError> {
  item.declare("clientName", "pcid")
  let domains = LinkedDomains(of: context.client, in: context.sandbox)
  let known = try item.text("identityId").flatMap { try domains.identity($0) }
  guard let text = try item.text("phoneNumber") ?? known?.phoneNumber,
    let number = try? MobileNumber(text, named: "phoneNumber", in: context)
  else { return .failure(APIError(.malformed, "Invalid Phone Number")) }
  do {
    _ = try TestUsers(.identityManager, of: context).user(of: number)
    return .success(try Enrollment(item).enroll(number, for: context.client, in: context.sandbox))
  } catch let error as APIError {
    return .failure(error)
  }
}

/// What a client says about a number that it enrolls or verifies.
struct Enrollment {
  let clientCustomerID: String?
  let clientHumanID: String?
  let deviceID: String?
  let attributes: [(type: String, value: String)]

  init(_ body: Body) throws {
    clientCustomerID = try body.text("clientCustomerId")
    clientHumanID = try body.text("clientHumanId")
    deviceID = try body.text("deviceId")
    let objects = try body.fields.optionalObjects("identityAttributes", atMost: IdentityAttribute.limit)
    attributes = try (objects ?? []).map { object in
      let attribute = Body(object)
      return (try attribute.requiredText("attributeType"), try attribute.requiredText("attributeValue"))
    }
  }

  /// Enrolls a number, or updates what is known about it. Absent details keep their values.
  func enroll(_ number: MobileNumber, for client: Client, in sandbox: Sandbox) throws -> Identity {
    var identity = try Identity.ofNumber(number.number, clientID: client.id, in: sandbox)
    identity.phoneNumber = number.text
    identity.isEnrolled = true
    identity.isActive = true
    identity.clientCustomerID = clientCustomerID ?? identity.clientCustomerID
    identity.clientHumanID = clientHumanID ?? identity.clientHumanID
    identity.deviceID = deviceID ?? identity.deviceID
    for (type, value) in attributes {
      try identity.set(type, to: value, newID: { IdentifierKind.attribute.new(in: sandbox) })
    }
    try identity.save(in: sandbox)
    return identity
  }
}

extension Identity {
  /// Replaces the value of an attribute, which keeps its id, or adds one.
  fileprivate mutating func set(_ type: String, to value: String, newID: () -> String) throws {
    if let index = attributes.firstIndex(where: { $0.type == type }) {
      attributes[index].value = value
      return
    }
    guard attributes.count < IdentityAttribute.limit else {
      throw APIError.malformed(
        "identityAttributes", expected: "at most \(IdentityAttribute.limit) attributes of an identity")
    }
    attributes.append(IdentityAttribute(id: newID(), type: type, value: value))
  }
}
