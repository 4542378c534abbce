import Catalog
import Crypto
import ProviderKit

/// Stores the certificate authority that signs for the providers' host names.
enum Authority {
  /// The authority of a folder. Creates it on first use, and again if it has expired or the providers' hosts have
  /// changed. Safe if several processes start at once.
  static func stored(in folder: String) throws -> CertificateAuthority {
    if let stored = read(in: folder) { return stored }
    try Files.makeFolders(folder)
    let lock = try Files.waitForLock("\(folder)/authority.lock")
    defer { lock.release() }
    if let stored = read(in: folder) { return stored }
    let created = temporary()
    // The key first: a certificate without its key would be useless.
    try Files.write(created.issuerPEM, to: keyFile(in: folder), isSecret: true)
    try Files.write(created.rootPEM, to: certificateFile(in: folder))
    return created
  }

  private static func read(in folder: String) -> CertificateAuthority? {
    guard let root = try? Files.read(certificateFile(in: folder)),
      let issuer = try? Files.read(keyFile(in: folder))
    else { return nil }
    return CertificateAuthority(
      root: String(decoding: root, as: UTF8.self), issuer: String(decoding: issuer, as: UTF8.self), for: names
    )
  }

  private static func keyFile(in folder: String) -> String { "\(folder)/authority-key.pem" }

  /// An authority that is not stored.
  static func temporary() -> CertificateAuthority { CertificateAuthority(for: names) }

  /// The certificate that clients have to trust.
  static func certificateFile(in folder: String) -> String { "\(folder)/authority.pem" }

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
  static let names = catalog.flatMap { $0.hosts }.sorted()
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
        <string>Trusts a sandbox for phone verification. It can sign for the vendors’ host names only.</string>
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
