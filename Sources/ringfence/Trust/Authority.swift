import Catalog
import Crypto
import Loop
import ProviderKit

/// Stores the certificate authority that signs for the providers' host names.
enum Authority {
  /// The authority of a folder. Creates it on first use, and again if it has expired or the providers' hosts
  /// have changed. Throws `Damage` if its files are damaged. Safe if several processes start at once.
  static func stored(in folder: String) throws -> CertificateAuthority {
    // While another process writes the files, they may look damaged.
    if let stored = try? read(in: folder) { return stored }
    try Files.makeFolders(folder)
    let lock = try Files.waitForLock("\(folder)/authority.lock")
    defer { lock.release() }
    if let stored = try read(in: folder) { return stored }
    let created = temporary()
    // The key first: a certificate without its key would be useless.
    try Files.write(created.issuerPEM, to: keyFile(in: folder), isSecret: true)
    try Files.write(created.rootPEM, to: certificateFile(in: folder), isSecret: true)
    return created
  }

  /// The same, or one that is not stored if the folder cannot be written.
  static func storedIfPossible(in folder: String, warn: (String) -> Void) throws -> CertificateAuthority {
    do {
      return try stored(in: folder)
    } catch let failure as Files.Failure {
      warn("cannot store the certificate authority, so it changes at each start: \(failure)")
      return temporary()
    }
  }

  /// Throws `Damage` if the folder has files of an authority that cannot be used.
  static func isStored(in folder: String) throws -> Bool {
    // OpenSSL needs a fifth of a start to read them: only once a day, for an authority may expire.
    let day = EventLoop.wallClockMilliseconds() / 86_400_000
    let editions = ["/proc/self/exe", certificateFile(in: folder), keyFile(in: folder)].map(Files.edition)
    let (mark, marked) = ("\(day)\n\(editions.joined(separator: "\n"))\n", "\(folder)/authority.checked")
    if let earlier = try? Files.read(marked), earlier.elementsEqual(mark.utf8) { return true }
    guard try read(in: folder) != nil else { return false }
    try? Files.write(mark, to: marked, isSecret: true)
    return true
  }

  /// Files of an authority that are damaged or that others can read. Replacing them silently would break
  /// every client that trusts them.
  struct Damage: Error, CustomStringConvertible {
    let description: String
  }

  /// Nil if there is none, or one that has to be replaced.
  private static func read(in folder: String) throws -> CertificateAuthority? {
    let (certificate, key) = (certificateFile(in: folder), keyFile(in: folder))
    // A key without a certificate: its creation was interrupted.
    guard Files.exists(certificate) else { return nil }
    guard let permissions = Files.permissions(of: key) else {
      throw Damage(description: "\(key): missing, but \(certificate) exists. \(advice(certificate, key))")
    }
    guard permissions & 0o077 == 0 else {
      throw DataFolder.ExposedFile(path: key, permissions: permissions, expected: 0o600, folder: folder)
    }
    let root = String(decoding: try Files.read(certificate), as: UTF8.self)
    let issuer = String(decoding: try Files.read(key), as: UTF8.self)
    switch CertificateAuthority.read(root: root, issuer: issuer, for: scope) {
    case .usable(let authority): return authority
    case .outdated: return nil
    case .damaged(let reason):
      let path = reason == .root ? certificate : key
      throw Damage(description: "\(path): \(reason.rawValue). \(advice(certificate, key))")
    }
  }

  private static func advice(_ certificate: String, _ key: String) -> String {
    """
    Restore both files from a backup. Or delete both to create a new authority, which clients must trust again: \
    rm -f \(certificate.shellQuoted) \(key.shellQuoted)
    """
  }

  static let keyName = "authority-key.pem"
  static let certificateName = "authority.pem"

  static func keyFile(in folder: String) -> String { "\(folder)/\(keyName)" }

  /// An authority that is not stored.
  static func temporary() -> CertificateAuthority { CertificateAuthority(for: scope) }

  /// The certificate that clients have to trust.
  static func certificateFile(in folder: String) -> String { "\(folder)/\(certificateName)" }

  /// The user's data folder (XDG base directories), for servers without `--data`.
  static var userFolder: String {
    if let data = Environment["XDG_DATA_HOME"] { return "\(data)/ringfence" }
    return "\(Environment["HOME"] ?? "/tmp")/.local/share/ringfence"
  }

  /// The absolute path of a command's `--data` folder, else of the user's. Creates the folder.
  static func folder(_ option: String?) throws(Files.Failure) -> String {
    let folder = option ?? userFolder
    try Files.makeFolders(folder)
    return try Files.absolute(folder)
  }

  /// The host names of all providers, for which it signs.
  private static let scope = CertificateAuthority.Scope(
    names: ProviderHosts.all.names, domains: ProviderHosts.domains,
    withClientCertificates: catalog.filter { $0.address.acceptsClientCertificates }.flatMap {
      $0.address.hosts
    },
    offersHTTP2: ProviderHosts.withHTTP2.contains,
    contains: ProviderHosts.all.contains)
}

/// A configuration profile that installs the authority on Apple's systems.
/// Source: developer.apple.com/documentation/devicemanagement/certificateroot, read 2026-11-21.
struct ConfigurationProfile {
  /// The property list.
  let text: String

  /// The identifiers are always the same, so that a newer profile replaces the older one.
  init(_ authority: CertificateAuthority) {
    let fingerprint = authority.fingerprint
    let name = "Ringfence sandbox authority"
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>PayloadType</key><string>Configuration</string>
        <key>PayloadVersion</key><integer>1</integer>
        <key>PayloadIdentifier</key><string>\(Self.identifier)</string>
        <key>PayloadUUID</key><string>\(Self.uuid(fingerprint.prefix(16)))</string>
        <key>PayloadDisplayName</key><string>\(name)</string>
        <key>PayloadDescription</key>
        <string>Trusts a sandbox for phone verification. It can sign for the providers’ host names only.</string>
        <key>PayloadContent</key>
        <array>
          <dict>
            <key>PayloadType</key><string>com.apple.security.root</string>
            <key>PayloadVersion</key><integer>1</integer>
            <key>PayloadIdentifier</key><string>\(Self.identifier).certificate</string>
            <key>PayloadUUID</key><string>\(Self.uuid(fingerprint.suffix(16)))</string>
            <key>PayloadDisplayName</key><string>\(name)</string>
            <key>PayloadCertificateFileName</key><string>ringfence.cer</string>
            <key>PayloadContent</key>
            <data>\(Base64.encode(authority.rootDER))</data>
          </dict>
        </array>
      </dict>
      </plist>

      """
  }

  private static let identifier = "ringfence.authority"

  /// A UUID of version 8, whose bytes may have any meaning (RFC 9562, 5.8).
  private static func uuid(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = Array(bytes)
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
    return groups.map { digits[$0].joined() }.joined(separator: "-")
  }
}
