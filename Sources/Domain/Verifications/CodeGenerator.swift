/// Where codes come from when the caller brings none: what the subscriber pins, else the entropy.
package struct CodeGenerator {
  let sandbox: Sandbox

  /// The code of the n-th verification of a destination with a provider; `attempt` counts where each sending
  /// has a code of its own.
  package func code(
    for claim: Claim, series: Int, attempt: Int = 1, length: Int, subscriber: Subscriber?
  ) -> String {
    subscriber?.code
      ?? sandbox.entropy.code(
        length: length, for: claim.destination, provider: claim.provider,
        series: series &+ (attempt - 1) << 32)
  }
}
