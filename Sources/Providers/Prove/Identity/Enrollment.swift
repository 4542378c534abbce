import Domain
import HTTP
import JSON
import ProviderKit

// `POST /v3/identity` and `POST /v3/identity/batch`. Source: contract 7.4.

/// Of one batch. Source: contract 3.2 and 7.3.
let maxBatchItems = 1000

/// Enough for a batch of that many items. Source: contract 3.2.
let maxBatchBytes = 1 << 20

func enrollIdentity(_ context: RequestContext) throws -> Response {
  let body = try context.body
  body.declare("clientRequestId")
  let number = try context.number(body.requiredText("phoneNumber"), named: "phoneNumber")
  _ = try context.users(of: .identityManager).user(of: number)
  let identity = try context.enroll(number, EnrollmentDetails(body))
  return context.response { json in
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
  let results = try items.map { try context.enroll(item: Body($0)) }
  return context.response { json in
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

/// What a client says about a number that it enrolls or verifies.
struct EnrollmentDetails {
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
}

extension RequestContext {
  func users(of solution: Solution) -> TestUsers {
    TestUsers(sandbox: sandbox, settings: settings, client: client, solution: solution)
  }

  /// Enrolls a number, or updates what is known about it. Absent details keep their values.
  func enroll(_ number: MobileNumber, _ details: EnrollmentDetails) throws -> Identity {
    var identity = try Identity.ofNumber(number.number, clientID: client.id, in: sandbox)
    identity.phoneNumber = number.text
    identity.isEnrolled = true
    identity.isActive = true
    identity.clientCustomerID = details.clientCustomerID ?? identity.clientCustomerID
    identity.clientHumanID = details.clientHumanID ?? identity.clientHumanID
    identity.deviceID = details.deviceID ?? identity.deviceID
    for (type, value) in details.attributes {
      try identity.set(type, to: value, newID: { newUUID(.attribute, in: sandbox) })
    }
    try identity.save(in: sandbox)
    return identity
  }

  /// Documentation and SDKs disagree about the items, so each shape counts: those with a number, and those
  /// with the id of an identity here or in a linked domain.
  fileprivate func enroll(item: Body) throws -> Result<Identity, APIError> {
    item.declare("clientName", "pcid")
    let known = try item.text("identityId").flatMap { try identityOfLinkedDomain($0) }
    guard let text = try item.text("phoneNumber") ?? known?.phoneNumber,
      let number = try? number(text, named: "phoneNumber")
    else { return .failure(APIError(.malformed, "Invalid Phone Number")) }
    do {
      _ = try users(of: .identityManager).user(of: number)
      return .success(try enroll(number, EnrollmentDetails(item)))
    } catch let error as APIError {
      return .failure(error)
    }
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

  /// Both names of the id: SDKs before April 2026 expect the older one. Source: contract 7.4 and 13.
  func writeID(to json: inout JSONWriter) {
    json.member("proveId", proveID)
    json.member("identityId", proveID)
  }
}
