import Basics
import Database
import JSON

/// A verified caller, and the credential bytes of the request.
struct SignIn {
  let provider: String
  let bytes: [UInt8]
  let caller: AnyObject

  /// Compares in memory, because `==` of slices takes four times as long: a thousand instructions per
  /// request.
  func hasBytes(_ other: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      other.withUnsafeBufferPointer { other in
        guard bytes.count == other.count else { return false }
        for index in 0..<bytes.count where bytes[index] != other[index] { return false }
        return true
      }
    }
  }
}

/// The credentials of a sandbox.
package struct Accounts {
  let sandbox: Sandbox

  package func find(_ name: String, of provider: String) throws -> Credential? {
    try sandbox.shared.credentials.find(name, of: provider, in: sandbox.id)
  }

  /// All credentials of a provider, sorted by name.
  package func all(of provider: String) throws -> [Credential] {
    try sandbox.shared.credentials.all(of: provider, in: sandbox.id)
  }

  /// The caller verified last, if the request has the same credential bytes: most clients repeat them.
  package func lastCaller<Caller>(signedInWith bytes: ArraySlice<UInt8>, of provider: String) -> Caller? {
    (cachedCaller(bytes, of: provider) as? Shared<Caller>)?.value
  }

  /// Caches the caller for these credential bytes until credentials change.
  package func remember<Caller>(
    _ caller: Caller, signedInWith bytes: ArraySlice<UInt8>, of provider: String
  ) {
    cacheCaller(Shared(caller), bytes, of: provider)
  }

  func cachedCaller(_ bytes: ArraySlice<UInt8>, of provider: String) -> AnyObject? {
    guard let last = sandbox.derived.lastSignIn, last.provider == provider, last.hasBytes(bytes) else {
      return nil
    }
    return last.caller
  }

  func cacheCaller(_ caller: AnyObject, _ bytes: ArraySlice<UInt8>, of provider: String) {
    sandbox.derived.lastSignIn = SignIn(provider: provider, bytes: Array(bytes), caller: caller)
  }

  /// True if another sandbox has the credential.
  package func isTaken(_ name: String, of provider: String) throws -> Bool {
    guard let owner = try sandbox.shared.credentials.owner(of: name, provider: provider) else { return false }
    return owner != sandbox.id && owner != sandbox.replacedID
  }

  /// Throws if a seed names a credential of another sandbox. Exports may, and so may the seeds that a sandbox
  /// loads when it is created: many sandboxes load them, and their credentials belong to the first. The error
  /// does not show the name, which can be secret.
  package func refuseTaken(_ name: String, of provider: String, at path: String) throws {
    guard !sandbox.isLoadingOwnSeeds, !sandbox.isLoadingExport, try isTaken(name, of: provider) else {
      return
    }
    throw FieldError(
      path: path, expected: "a credential that no other sandbox has", found: "one of another sandbox")
  }

  /// Registers credentials. Returns false, and registers none, if another sandbox has one of them.
  package func register(_ credentials: Credential...) throws -> Bool {
    for credential in credentials where try isTaken(credential.name, of: credential.provider) { return false }
    sandbox.derived.lastSignIn = nil
    for credential in credentials { try sandbox.shared.credentials.save(credential, for: sandbox.id) }
    return true
  }
}
