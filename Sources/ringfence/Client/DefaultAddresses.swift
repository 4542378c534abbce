/// Where a server listens that is told nothing.
enum DefaultAddresses {
  /// For everything.
  static let http = "http://127.0.0.1:5550"
  /// The same over TLS.
  static let https = "https://127.0.0.1:5551"
  /// The cellular gateway.
  static let gateway = "http://127.0.0.1:5552"
}
