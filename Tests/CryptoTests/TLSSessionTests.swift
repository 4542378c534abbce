import COpenSSL
import Crypto
import Foundation
import Testing

@Suite("TLS · client")
struct TLSSessionTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Certificates")

  private static func file(_ name: String) -> String { folder.appending(path: "\(name).pem").path }

  /// Both sides of a connection after their handshake.
  private func connect(
    to host: String = "receiver.test", isLiteral: Bool = false, certificate: String = "good",
    trusting: [String] = ["authority"], newest version: Int32 = TLS1_3_VERSION
  ) throws -> (client: TLSSession, server: TLSPeer) {
    let context = try TLSContext(trusting: trusting.map(Self.file))
    let client = try TLSSession(client: context, host: host, isLiteral: isLiteral)
    let server = TLSPeer(certificate: Self.file(certificate), newest: version)
    for _ in 0..<4 where !client.isEstablished { try deliver(server.take(client.takeOutput()), to: client) }
    try deliver(server.take(client.takeOutput()), to: client)
    return (client, server)
  }

  private func deliver(_ bytes: [UInt8], to client: TLSSession) throws {
    try bytes.withUnsafeBytes { try client.receive($0) }
  }

  @Test("the handshake succeeds for a trusted certificate with the right name")
  func agreement() throws {
    let (client, server) = try connect()

    try client.write(Array("hello".utf8))
    _ = server.take(client.takeOutput())
    let heard = server.read()
    try deliver(server.write("world"), to: client)

    #expect(client.isEstablished)
    #expect(heard == "hello")
    #expect(try client.read() == Array("world".utf8))
    #expect(try client.read() == [])
    #expect([server.requestedName, server.version] == ["receiver.test", "TLSv1.3"])
  }

  @Test("a literal address is checked against the certificate, and not sent as a server name")
  func literal() throws {
    let (client, server) = try connect(to: "127.0.0.1", isLiteral: true)

    #expect(client.isEstablished)
    #expect(server.requestedName == nil)
  }

  @Test("the bytes may arrive one by one")
  func pieces() throws {
    let context = try TLSContext(trusting: [Self.file("authority")])
    let client = try TLSSession(client: context, host: "receiver.test", isLiteral: false)
    let server = TLSPeer(certificate: Self.file("good"))

    for byte in server.take(client.takeOutput()) { try deliver([byte], to: client) }

    #expect(client.isEstablished)
  }

  @Test("the peer's close_notify is reported")
  func end() throws {
    let (client, server) = try connect()

    try deliver(server.write("bye") + server.end(), to: client)

    #expect(try client.read() == Array("bye".utf8))
    #expect(client.isAtEnd)
  }

  @Test(
    "a wrong certificate is an error with the reason",
    arguments: [
      ("other", "receiver.test", "the certificate of receiver.test is not trusted: hostname mismatch"),
      ("good", "127.0.0.2", "the certificate of 127.0.0.2 is not trusted: IP address mismatch"),
      (
        "expired", "receiver.test", "the certificate of receiver.test is not trusted: certificate has expired"
      ),
      (
        "selfsigned", "receiver.test",
        "the certificate of receiver.test is not trusted: self-signed certificate"
      ),
    ])
  func misfits(certificate: String, host: String, sentence: String) throws {
    let error = #expect(throws: TLSError.self) {
      try connect(to: host, isLiteral: host.first == "1", certificate: certificate)
    }

    #expect(error?.description == sentence)
  }

  @Test("a certificate of an unknown authority is rejected")
  func unknownAuthority() throws {
    let error = #expect(throws: TLSError.self) { try connect(trusting: []) }

    #expect(
      error?.description
        == "the certificate of receiver.test is not trusted: unable to get local issuer certificate")
  }

  @Test("TLS 1.2 is accepted, older versions are not")
  func versions() throws {
    #expect(try connect(newest: TLS1_2_VERSION).server.version == "TLSv1.2")
    #expect(throws: TLSError.self) { try connect(newest: TLS1_1_VERSION) }
  }

  @Test("bytes that are not TLS are an error")
  func nonsense() throws {
    let client = try TLSSession(client: TLSContext(), host: "receiver.test", isLiteral: false)

    #expect(throws: TLSError.self) { try deliver(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), to: client) }
  }

  @Test("an unreadable file of authorities is an error with its path")
  func badFile() {
    let error = #expect(throws: TLSError.self) { try TLSContext(trusting: ["/no/such.pem"]) }

    #expect(error?.description.hasPrefix("reading certificates from /no/such.pem failed") == true)
  }
}
