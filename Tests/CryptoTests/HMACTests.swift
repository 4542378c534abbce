import Crypto
import Testing

/// RFC 2202 and RFC 4231.
@Suite("HMAC")
struct HMACTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(
    "the vectors of RFC 4231 hold",
    arguments: [
      (
        [UInt8](repeating: 0x0B, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func sha256(key: [UInt8], message: String, digest: String) {
    #expect(hexadecimal(HMAC.authenticate(Array(message.utf8), key: key)) == digest)
  }

  @Test("the vector of RFC 4231 for 64 bytes holds")
  func sha512() {
    let message = Array("what do ya want for nothing?".utf8)

    #expect(
      hexadecimal(HMAC.authenticate(message, key: Array("Jefe".utf8), .sha512))
        == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")
  }

  @Test("the vector of FIPS 180-4 for SHA-256 holds")
  func hash() {
    #expect(
      hexadecimal(SHA256.hash(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("the vectors of RFC 2202 hold")
  func sha1() {
    let digest = HMAC.authenticate(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8), .sha1)

    #expect(hexadecimal(digest) == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
  }

  @Test("an empty key does not reuse the key of the last call")
  func emptyKey() {
    _ = HMAC.authenticate([1], key: [1, 2, 3])

    #expect(
      hexadecimal(HMAC.authenticate([], key: []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }
}
