import ArgumentParser
import HTTP

/// The options of `serve` about what stands between clients and the server.
struct ReverseProxyOptions: ParsableArguments {
  @Option(
    name: .customLong("public-url"),
    help: """
      The public URL, such as http://192.0.2.7:5550: where phones, and all other clients beyond this machine, reach the \
      server. Links in answers have it.
      """)
  var publicURL: String?
  @Option(
    help: """
      A reverse proxy whose Forwarded and X-Forwarded-For, -Proto and -Host fields count: an address, or a network such as \
      10.0.0.0/8. Repeat it for more, or separate them by commas. Default: none, and the fields are ignored.
      """)
  var trustedProxy: [String] = []

  /// The command line's values by option name.
  var flags: [String: String?] {
    [
      "public-url": publicURL,
      "trusted-proxy": trustedProxy.isEmpty ? nil : trustedProxy.joined(separator: ","),
    ]
  }
}

extension Configuration {
  /// Scheme and authority of `--public-url`, without a path.
  var publicURL: AbsoluteURL? {
    get throws(ValidationError) {
      guard let text = text("public-url") else { return nil }
      guard let url = AbsoluteURL(text), url.target == "/", url.userInformation == nil else {
        throw ValidationError(
          "\(source(of: "public-url")): expected a URL such as http://192.0.2.7:5550; found \(text)")
      }
      return url
    }
  }

  var trustedProxies: TrustedProxies {
    get throws(ValidationError) {
      TrustedProxies(
        try list("trusted-proxy").map { text throws(ValidationError) in
          guard let range = AddressRange(text) else {
            throw ValidationError(
              "\(source(of: "trusted-proxy")): expected an IPv4 or IPv6 address, or a network such as 10.0.0.0/8; found \(text)"
            )
          }
          return range
        })
    }
  }
}
