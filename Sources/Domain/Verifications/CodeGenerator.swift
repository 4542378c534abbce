/// Where codes come from: what the caller brings, what the subscriber pins, else the entropy.
package struct CodeGenerator {
  let sandbox: Sandbox

  /// The code for the n-th verification of a destination with a provider, without regard to pinned codes.
  package func derived(for claim: Claim, series: Int, length: Int) -> String {
    sandbox.entropy.code(
      length: length, for: claim.destination, provider: claim.provider, series: series)
  }

  /// The code that a verification uses.
  func code(for claim: Claim, series: Int, length: Int, custom: String?, subscriber: Subscriber?) -> String {
    custom ?? subscriber?.code ?? derived(for: claim, series: series, length: length)
  }
}
