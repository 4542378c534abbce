import Basics

/// Generates codes: the subscriber's fixed code, or one from the sandbox's entropy.
package struct CodeGenerator {
  let sandbox: Sandbox

  /// `series` is the number of the verification among those of its destination and provider. `attempt` is 1
  /// unless each attempt has its own code.
  package func code(
    for claim: Claim, series: Int, attempt: Int = 1, length: Int, subscriber: Subscriber?
  ) -> String {
    subscriber?.code
      ?? sandbox.entropy.code(
        length: length, for: claim.destination, provider: claim.provider,
        series: series &+ (attempt - 1) << 32)
  }
}
