import Crypto
import Domain
import JSON
import ProviderKit

/// The keys of the default seed. OpenSSL takes milliseconds to read a private key, at each start and for each
/// new sandbox, so their public halves are here, too.
enum ShippedKey {
  /// Nil for text that is no private RSA key.
  @Sendable
  static func read(_ pem: String) -> SigningKey? {
    if let publicPEM = publicPEMs[Hex.encode(SHA256.hash(Array(pem.utf8)))] {
      return SigningKey(privatePEM: pem, publicPEM: publicPEM)
    }
    return SigningKey(pem: pem)
  }

  /// By the SHA-256 of the private key's text.
  private static let publicPEMs = [
    // webhooks
    "66d610f5839cc7c1df57a2fb9371e3b1fedba2ffae5b3a2d8e08555a910dbc96": """
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
    // accounts
    "6ef397918343a09b459f23a3d5967043e0e60dfc255ed8354704283427553d52": """
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
