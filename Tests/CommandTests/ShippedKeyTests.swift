import Domain
import ProviderKit
import Testing

@testable import ringfence

@Suite("The keys of the default seed")
struct ShippedKeyTests {
  @Test("have the public halves that OpenSSL finds")
  func publicHalves() throws {
    #expect(ShippedKey.publicPEMs.count == SigningKeys.Purpose.allCases.count)
    for (privatePEM, publicPEM) in ShippedKey.publicPEMs {
      let key = try #require(SigningKey(pem: privatePEM))
      #expect(key.publicPEM == publicPEM)
    }
  }

  @Test("are not other texts", arguments: ["", "-----BEGIN PRIVATE KEY-----", "{}"])
  func otherTexts(_ text: String) {
    #expect(ShippedKey.read(text) == nil)
  }
}
