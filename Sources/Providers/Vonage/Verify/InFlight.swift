import ProviderKit

/// The requests in progress for destinations that are not the first of their workflow; claims have that one.
struct InFlight {
  var ordinal = 0

  private static let table = RecordTable<InFlight>(
    "inFlight", of: VonageProvider.name,
    Schema(nil, "", [.required("ordinal", \.ordinal, .count)])
  ) { InFlight() }

  static func latest(to destination: String, of account: String, in sandbox: Sandbox) throws -> Verification?
  {
    let claim = Claim(provider: VonageProvider.name, owner: account, destination: destination)
    if let latest = try sandbox.verifications.latest(claim),
      latest.isPending(at: sandbox.clock.now)
    {
      return latest
    }
    let other = try table.find("\(account) \(destination)", in: sandbox).flatMap {
      try sandbox.verifications.find($0.ordinal)
    }
    return try other ?? sandbox.verifications.latest(claim)
  }

  static func add(_ verification: Verification, to destinations: ArraySlice<String>, in sandbox: Sandbox)
    throws
  {
    for destination in destinations {
      let key = "\(verification.claim.owner) \(destination)"
      if try table.find(key, in: sandbox) == nil {
        try table.requireRoom(in: sandbox, limit: SandboxLimits.services)
      }
      try table.save(InFlight(ordinal: verification.ordinal), as: key, in: sandbox)
    }
  }

  static func remove(_ verification: Verification, from destinations: [String], in sandbox: Sandbox) throws {
    for destination in destinations where destination != verification.claim.destination {
      let key = "\(verification.claim.owner) \(destination)"
      if try table.find(key, in: sandbox)?.ordinal == verification.ordinal {
        try table.delete(key, in: sandbox)
      }
    }
  }
}
