import Crypto
import Testing

@Suite("CertificateBundle")
struct CertificateBundleTests {
  private let authority = CertificateAuthority(for: .init(["api.provider.test"]))
  private let other = CertificateAuthority(for: .init(["api.other.test"]))

  @Test("certificates are read from PEM with other text between them, and written")
  func reading() throws {
    let bundle = CertificateBundle()

    try bundle.add(pem: Array("a remark\n\(authority.rootPEM)\nanother\n\(other.rootPEM)".utf8))

    #expect(bundle.count == 2)
    #expect(bundle.contains(authority) && bundle.contains(other))
    #expect(bundle.pem == authority.rootPEM + other.rootPEM)
  }

  @Test("a duplicate is not added")
  func twice() throws {
    let bundle = CertificateBundle()

    bundle.add(authority)
    bundle.add(authority)
    try bundle.add(pem: Array(authority.rootPEM.utf8))

    #expect(bundle.count == 1)
  }

  @Test("a private key in the text is ignored")
  func secrets() throws {
    let bundle = CertificateBundle()

    try bundle.add(pem: Array(authority.issuerPEM.utf8))

    #expect(bundle.count == 1)
    #expect(!bundle.pem.contains("PRIVATE"))
  }

  @Test(
    "a text without a certificate, or with a broken one, adds nothing",
    arguments: [
      "", "nonsense", "-----BEGIN CERTIFICATE-----",
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    ])
  func broken(text: String) {
    let bundle = CertificateBundle()

    #expect(throws: TLSError.self) { try bundle.add(pem: Array(text.utf8)) }
    #expect(bundle.count == 0)
  }

  @Test("a broken certificate is an error with its number, and adds nothing")
  func brokenLater() {
    let bundle = CertificateBundle()
    let text = authority.rootPEM + other.rootPEM.prefix(200)

    let error = #expect(throws: TLSError.self) { try bundle.add(pem: Array(text.utf8)) }

    #expect(error?.description.hasPrefix("reading certificate 2 failed") == true)
    #expect(bundle.count == 0)
  }

  @Test("a text over the size limit is rejected")
  func tooLong() {
    let text = [UInt8](repeating: 0x20, count: CertificateBundle.sizeLimit + 1)

    #expect(throws: TLSError.self) { try CertificateBundle().add(pem: text) }
  }

  @Test("equal certificates produce equal trust stores")
  func store() {
    let (first, second) = (CertificateBundle(), CertificateBundle())
    for bundle in [first, second] { bundle.add(authority) }

    #expect(first.trustStore(password: "x") == second.trustStore(password: "x"))
    #expect(first.trustStore(password: "x") != second.trustStore(password: "y"))
  }
}
