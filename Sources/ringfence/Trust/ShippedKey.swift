import ProviderKit

/// The keys of the default seed. OpenSSL takes milliseconds to read a private key, at each start and for each
/// new sandbox, so their public halves are here, too.
enum ShippedKey {
  /// Nil for text that is no private RSA key.
  @Sendable
  static func read(_ pem: String) -> SigningKey? {
    publicPEMs[pem].map { SigningKey(privatePEM: pem, publicPEM: $0) } ?? SigningKey(pem: pem)
  }

  /// By the text of the private key.
  static let publicPEMs: [String: String] = {
    let keys = (try? JSON(parsing: PackageResources.keys_json))?["keys"]
    var publicPEMs: [String: String] = [:]
    for (name, publicPEM) in publicPEMsByName {
      if case .string(let privatePEM) = keys?[name] { publicPEMs[privatePEM] = publicPEM }
    }
    return publicPEMs
  }()

  private static let publicPEMsByName = [
    "webhooks": """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEApStNwSYT9dRG9Ink9siT
    An40HUHd4VGCPPTnoxNyDBicPpSQj57JiUpfhMtyYDIe5kPdsP40GY4ZQsGuw62d
    P9kzBOKoEy8KO/FDxx6IHLvBczsTvQFQiGuClC6Ipqbp1kzZje3Q3VLUYSCMyBcL
    U0CqluGbjHJHnU7fIjXeM8JTGaj053s6gR7E0gSVQTnRuQYZqtdiIKS9bovTWYMH
    Gf++6F30DfGGWcNtDvuOc9pRpJHtse+FCy53Kq2bSANNnjTbjngL5KyAI5QVwqSR
    y09PPmT4WG4zgSlKR7fynOEJaHfPc0r82AxVnWMw11ING9yFFJT2X/p+ma4W+bk/
    2wIDAQAB
    -----END PUBLIC KEY-----

    """,
    "accounts": """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxb3tfxjzZp5j9qzKqnCn
    iZzbqeO/DnhYirAqmybeYYpuvoP8eZeFkvDy4wdnURriQyJWinACkGnSluVi313g
    EQTewdUeZd8Wd5iE1TSkkt6oMmhLj9cJgYvjatH5TfgzTWCQGiC5qVUw44fnh1JJ
    OVPXWpokB7WhuJFeG7j0BFbmChJpZ8SpmctMmOrOuk2YS+TZzy5z24YzzwL/p77e
    6wAbmTfUsHoEfvdV6m729R0AeCrcjPhWllx1w9wdtszfvgKx/BGSJbnvSIRxLqFu
    6SUUiBi4g3xEhLK6RlrkPnFvsTPv+6Hb7FinJow259BM47LDzRy7hF28K+aK70YJ
    CwIDAQAB
    -----END PUBLIC KEY-----

    """,
  ]
}
