import Crypto
import Testing

@Suite("Client certificates")
struct ClientCertificateTests {
  /// Self-signed, for the subject `UID=a.b`.
  private let pem = """
    -----BEGIN CERTIFICATE-----
    MIIBFzCBvaADAgECAgEBMAoGCCqGSM49BAMCMBUxEzARBgoJkiaJk/IsZAEBDANh
    LmIwHhcNMjYwMTAxMDAwMDAwWhcNMzYwMTAxMDAwMDAwWjAVMRMwEQYKCZImiZPy
    LGQBAQwDYS5iMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjlM7b6C/e0YluzBm
    fAH7YH75+LioD+9bMAYocDGHsqNz6x294DMYNm0Gn4Om9ZAAU8c2M8sEGyHFXhqG
    wfQAtDAKBggqhkjOPQQDAgNJADBGAiEA6afEZPakILkSlPwXM00b02AONA+/m5uB
    ZU3q+okqF1QCIQCqEvLIHjraJl9Pm43EzqmuAgER8IEFmzhzDotYdUD1sg==
    -----END CERTIFICATE-----
    """

  @Test("the subject and the extensions are read")
  func parts() throws {
    let certificate = try #require(ClientCertificate(pem: pem))

    #expect(certificate.userID == "a.b")
    #expect(certificate.commonName == nil && certificate.organizationalUnit == nil)
    #expect(!certificate.has(extension: "1.2.840.113635.100.6.3.1"))
    #expect(ClientCertificate(der: certificate.der) == certificate)
  }

  @Test("other bytes are no certificate", arguments: [[], [0x30], Array("nonsense".utf8)] as [[UInt8]])
  func nonsense(der: [UInt8]) {
    #expect(ClientCertificate(der: der) == nil)
    #expect(ClientCertificate(pem: String(decoding: der, as: UTF8.self)) == nil)
  }
}
