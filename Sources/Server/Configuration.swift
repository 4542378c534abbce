package import HTTP

extension Server {
  /// What a server allows its clients; the defaults suit a sandbox.
  package struct Configuration: Sendable {
    /// How large a request may be.
    package var limits = Limits()
    /// Connections served at once; those beyond are answered with the application's failure.
    package var connectionLimit = 10_000
    /// From the first byte of a request to the end of its head; late is 408.
    package var headTimeout = Duration.seconds(10)
    /// From the end of the head to the end of the body, beside what `bodyRate` grants; late is 408.
    package var bodyTimeout = Duration.seconds(10)
    /// Bytes per second that a body must keep up with once `bodyTimeout` has passed.
    package var bodyRate = 4_096
    /// How long a connection may stay open without a request.
    package var idleTimeout = Duration.seconds(75)
    /// How long a client may take none of the bytes that wait for it.
    package var writeTimeout = Duration.seconds(30)
    /// How long a host outside may take until it is reached; late is 504.
    package var connectTimeout = Duration.seconds(10)
    /// How long a tunnel to a host outside may carry nothing.
    package var tunnelTimeout = Duration.seconds(300)
    /// How long bytes are still taken from a client after it was told that the connection ends.
    package var lingerTimeout = Duration.seconds(2)
    /// How long a drain waits for requests being answered.
    package var drainTimeout = Duration.seconds(10)
    /// Bytes waiting to be written beyond which nothing more is read.
    package var writeQueueLimit = 262_144
    /// Bytes kept of requests that wait for their turn beyond which nothing more is read.
    package var readQueueLimit = 65_536

    /// The defaults.
    package init() {}
  }
}
