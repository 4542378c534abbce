import Crypto
import Foundation
import Testing

@Suite("TLS · server")
struct TLSServerTests {
  private let authority = CertificateAuthority(
    for: .init(names: ["api.provider.test", "edge.provider.test"], domains: ["regions.test"]) {
      ["api.provider.test", "edge.provider.test"].contains($0) || $0.hasSuffix(".ie1.regions.test")
    })

  /// Both sides of a connection after their handshake. The client trusts the authority.
  private func connect(
    to host: String = "api.provider.test", isLiteral: Bool = false
  ) throws -> (client: TLSSession, server: TLSSession) {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pem")
    try Data(authority.rootPEM.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let client = try TLSSession(
      client: TLSContext(trusting: [file.path]), host: host, isLiteral: isLiteral)
    let server = try TLSSession(server: TLSContext(issuedBy: authority))
    for _ in 0..<4 {
      try deliver(client.takeOutput(), to: server)
      try deliver(server.takeOutput(), to: client)
    }
    return (client, server)
  }

  private func deliver(_ bytes: [UInt8], to session: TLSSession) throws {
    try bytes.withUnsafeBytes { try session.receive($0) }
  }

  @Test(
    "the handshake succeeds for the authority's names",
    arguments: ["api.provider.test", "localhost", "api.dublin.ie1.regions.test"])
  func agreement(host: String) throws {
    let (client, server) = try connect(to: host)

    try client.write(Array("hello".utf8))
    try deliver(client.takeOutput(), to: server)
    try server.write(Array("world".utf8))
    try deliver(server.takeOutput(), to: client)

    #expect(client.isEstablished && server.isEstablished)
    #expect(server.requestedName == host)
    #expect(try server.read() == Array("hello".utf8))
    #expect(try client.read() == Array("world".utf8))
  }

  @Test(
    "the handshake succeeds for loopback addresses", arguments: ["127.0.0.1", "::1"])
  func literal(address: String) throws {
    let (client, server) = try connect(to: address, isLiteral: true)

    #expect(client.isEstablished)
    #expect(server.requestedName == nil)
  }

  @Test("a close_notify ends the other side", .timeLimit(.minutes(1)))
  func end() throws {
    let (client, server) = try connect()

    server.end()
    try deliver(server.takeOutput(), to: client)

    #expect(try client.read() == [])
    #expect(client.isAtEnd)
  }

  @Test(
    "an unknown name gets an alert",
    arguments: ["provider.test", "evil.test", "x.api.provider.test", "regions.test", "api.us1.regions.test"])
  func unknownName(host: String) throws {
    let client = try TLSSession(client: TLSContext(), host: host, isLiteral: false)
    let server = try TLSSession(server: TLSContext(issuedBy: authority))

    #expect(throws: TLSError.self) { try deliver(client.takeOutput(), to: server) }
    #expect(server.requestedName == host)
    #expect(throws: TLSError.self) { try deliver(server.takeOutput(), to: client) }
  }

  @Test(
    "a client without TLS is recognised by its first byte",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", true), ("nonsense", true), ("\u{0}", true), ("\u{15}\u{3}\u{1}", true),
      ("\u{16}\u{3}\u{1}\u{0}\u{5}abcde", false),
    ])
  func plaintext(text: String, isPlaintext: Bool) throws {
    let server = try TLSSession(server: TLSContext(issuedBy: authority))

    let error = #expect(throws: TLSError.self) { try deliver(Array(text.utf8), to: server) }

    #expect(error?.isPlaintext == isPlaintext)
  }

  @Test(
    "TLS 1.2 has suites with authenticated encryption only",
    arguments: [
      ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-AES256-GCM-SHA384", true),
      ("ECDHE-ECDSA-CHACHA20-POLY1305", true), ("ECDHE-ECDSA-AES128-SHA256", false),
      ("ECDHE-ECDSA-AES256-SHA384", false), ("ECDHE-ECDSA-AES128-SHA", false),
      ("ECDHE-ECDSA-AES256-SHA", false), ("ECDHE-ECDSA-AES128-CCM", false),
    ])
  func suites(name: String, isAccepted: Bool) throws {
    let client = TLSClientPeer(suite: name)
    let server = try TLSSession(server: TLSContext(issuedBy: authority))

    if isAccepted {
      try deliver(client.start(), to: server)
      try deliver(client.take(server.takeOutput()), to: server)
    } else {
      #expect(throws: TLSError.self) { try deliver(client.start(), to: server) }
    }

    #expect(server.isEstablished == isAccepted)
  }

  @Test("an authority is read from PEM, for the same names only")
  func kept() {
    let scope = authority.scope
    let (certificate, key) = (authority.rootPEM, authority.issuerPEM)
    let other = CertificateAuthority(for: scope)

    func read(_ root: String, _ issuer: String, for scope: CertificateAuthority.Scope) -> String {
      switch CertificateAuthority.read(root: root, issuer: issuer, for: scope) {
      case .usable: "usable"
      case .outdated: "outdated"
      case .damaged(let part): part.rawValue
      }
    }
    #expect(read(certificate, key, for: scope) == "usable")
    #expect(read(certificate, key, for: .init(["new.test"])) == "outdated")
    #expect(read(certificate, other.issuerPEM, for: scope) == "the key does not belong to the certificate")
    #expect(read("nonsense", key, for: scope) == "not a certificate in PEM")
    #expect(read(certificate, "nonsense", for: scope) == "not a certificate with its private key in PEM")
  }
}
