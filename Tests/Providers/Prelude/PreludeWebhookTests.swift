import Crypto
import Domain
import HTTP
import JSON
import Numbers
import ProviderKit
import Silent
import Support
import Testing

@testable import Prelude

@Suite("Prelude · webhooks", .contract("prelude.md 12"))
struct PreludeWebhookTests {
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  private static let options = #"{"callback_url":"http://127.0.0.1:9/hook"}"#

  @Test("a signature has 344 characters and is valid for the same bytes only")
  func signature() throws {
    _ = try prelude.create(options: Self.options)
    let delivery = try #require(prelude.world.receiver.deliveries.first)
    let field = try #require(delivery["X-Webhook-Signature"])
    let text = String(field.dropFirst("rsassa-pss-sha256=".count))
    let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    let bytes = try #require(Base64.decode(standard))
    let pem = try #require(try prelude.sandbox.keys[.webhooks]?.publicPEM)
    let key = try #require(RSAPublicKey(pem: pem))

    #expect(field.hasPrefix("rsassa-pss-sha256=") && text.utf8.count == 344 && bytes.count == 256)
    #expect(key.accepts(pssSignature: bytes, of: delivery.request.body))
    #expect(!key.accepts(pssSignature: bytes, of: delivery.request.body + [0x20]))
  }

  /// Issue 45, C12.
  @Test("the key of the signatures is read once")
  func keptKey() throws {
    let pem = try #require(try prelude.sandbox.keys[.webhooks]?.privatePEM)
    func keptKey() -> RSAPrivateKey? { prelude.sandbox.parsedKeys.key(in: pem) { _ in nil } }
    #expect(keptKey() == nil)
    _ = try prelude.create(options: Self.options)
    let kept = try #require(keptKey())
    _ = try prelude.create("+33639980051", options: Self.options)

    #expect(kept === keptKey())
  }

  @Test("settings choose the form of the signature, or turn it off")
  func signatureSettings() throws {
    try prelude.configure(#""signaturePadding":false,"signatureAlphabet":"base64""#)
    let unpadded = try #require(try PreludeProvider.signature(of: [1, 2, 3], in: prelude.sandbox))
    try prelude.configure(#""signsWebhooks":false"#)

    #expect(unpadded.utf8.count == 342 && !unpadded.contains("-") && !unpadded.contains("_"))
    #expect(try PreludeProvider.signature(of: [1, 2, 3], in: prelude.sandbox) == nil)
  }

  @Test("the UUID of the account never changes", .contract("prelude.md 12.3"))
  func customer() throws {
    let uuid = NotifyEvent.customerUUID(in: prelude.sandbox)

    #expect(uuid.wholeMatch(of: #/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/#) != nil)
    #expect(NotifyEvent.customerUUID(in: prelude.sandbox) == uuid)
  }
}
