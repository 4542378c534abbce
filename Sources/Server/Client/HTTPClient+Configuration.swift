package import HTTP

extension HTTPClient {
  /// What a client takes and how long it waits.
  package struct Configuration: Sendable {
    /// Where requests may go.
    package var destinations = Destinations()
    /// PEM files with certificate authorities to trust beside the machine's own.
    package var authorities: [String] = []
    /// From the look-up of the host to the end of the answer.
    package var timeout = Duration.seconds(10)
    /// How much of an answer is read; of the body what fits, the rest is left.
    package var limits = Limits()

    /// This machine only, ten seconds, 16 KiB of head and as much of the body.
    package init() {
      limits.body = 16_384
    }
  }
}
