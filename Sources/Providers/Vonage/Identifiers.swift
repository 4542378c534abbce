import Domain
import JSON
import ProviderKit

// Ids follow from ordinals, so that looking one up needs no index.

/// The id of a request of Verify v2: a UUID. No other sandbox has it, because it is in the URLs of silent
/// authentication.
func requestID(of verification: Verification, in sandbox: Sandbox) -> String {
  sandbox.tokenEntropy.uuid("vonage request", verification.ordinal, at: verification.createdAt)
}

/// The verification with an id of Verify v2; nil if there is none.
func verification(withID id: String, in sandbox: Sandbox) throws -> Verification? {
  guard let ordinal = sandbox.tokenEntropy.ordinal(ofUUID: id, under: "vonage request"),
    let found = try sandbox.verifications.find(ordinal), found.claim.provider == VonageProvider.name,
    requestID(of: found, in: sandbox) == id
  else { return nil }
  return found
}

/// The id of a request of Verify legacy: 32 hex digits. Source: contract 9.
func legacyID(of verification: Verification, in sandbox: Sandbox) -> String {
  sandbox.entropy.identifier("vonage legacy", verification.ordinal)
}

/// The id of an event of Verify legacy, counted from 1.
func legacyEventID(_ position: Int, of verification: Verification, in sandbox: Sandbox) -> String {
  sandbox.entropy.identifier("vonage event", verification.ordinal, position)
}

/// The verification with an id of Verify legacy; nil if there is none.
func verification(withLegacyID id: String, in sandbox: Sandbox) throws -> Verification? {
  guard let (ordinal, part) = sandbox.entropy.ordinals(of: id, under: "vonage legacy"), part == 0,
    let found = try sandbox.verifications.find(ordinal), found.claim.provider == VonageProvider.name,
    try StoredRequest(of: found) == nil
  else { return nil }
  return found
}

/// A new UUID for a record or an answer.
func newUUID(_ label: StaticString, in sandbox: Sandbox) -> String {
  uuidOfVersion4(sandbox.requestIdentifier(label))
}

/// The account's claim on a destination.
func claim(of account: String, on destination: String) -> Claim {
  Claim(provider: VonageProvider.name, owner: account, destination: destination)
}
