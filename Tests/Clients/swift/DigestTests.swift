import Foundation
import Testing

@testable import RingfenceTesting

/// The server signs with other code than the client checks with; these are the published examples.
@Suite("Client · digests")
struct DigestTests {
  @Test(
    "MD5, SHA-1 and SHA-256 of texts around a block",
    arguments: [
      (
        "abc", "900150983cd24fb0d6963f7d28e17f72", "a9993e364706816aba3e25717850c26c9cd0d89d",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      ),
      (
        "", "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      ),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "8215ef0796a20bcaaae116d3876c664a", "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func digests(text: String, md5: String, sha1: String, sha256: String) {
    #expect(hex(Digest.md5.of(Data(text.utf8))) == md5)
    #expect(hex(Digest.sha1.of(Data(text.utf8))) == sha1)
    #expect(hex(Digest.sha256.of(Data(text.utf8))) == sha256)
  }

  @Test("HMAC with a short and a long key: RFC 4231, 4.3 and 4.7")
  func macs() {
    #expect(
      hex(hmac(.sha256, key: Data("Jefe".utf8), Data("what do ya want for nothing?".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let long = Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    #expect(
      hex(hmac(.sha256, key: Data(repeating: 0xAA, count: 131), long))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  private func hex(_ bytes: Data) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
}
