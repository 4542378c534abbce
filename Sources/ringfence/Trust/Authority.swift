import Crypto
import Providers

/// Where the authority of our own is kept that vouches for the providers' host names.
enum Authority {
  /// The authority of this folder, made at its first use, and anew when the providers' hosts have changed or its
  /// time is over.
  static func kept(in folder: String) throws -> CertificateAuthority {
    let (root, issuer) = (certificateFile(in: folder), "\(folder)/authority-key.pem")
    if let rootPEM = try? Files.read(root), let issuerPEM = try? Files.read(issuer),
      let kept = CertificateAuthority(
        root: String(decoding: rootPEM, as: UTF8.self), issuer: String(decoding: issuerPEM, as: UTF8.self),
        for: names)
    {
      return kept
    }
    let made = fresh()
    try Files.makeFolders(folder)
    // The key first: a certificate without its key would be trusted for nothing.
    try Files.write(made.issuerPEM, to: issuer, isSecret: true)
    try Files.write(made.rootPEM, to: root)
    return made
  }

  /// An authority that is kept nowhere.
  static func fresh() -> CertificateAuthority { CertificateAuthority(for: names) }

  /// The file with the certificate that clients have to trust.
  static func certificateFile(in folder: String) -> String { "\(folder)/authority.pem" }

  /// Where the user's data lie, for a sandbox that has no folder of its own (XDG base directories).
  static var userFolder: String {
    if let data = Environment["XDG_DATA_HOME"] { return "\(data)/ringfence" }
    return "\(Environment["HOME"] ?? "/tmp")/.local/share/ringfence"
  }

  /// The names that it vouches for: all of the providers' hosts.
  static let names = catalog.flatMap { $0.hosts }.sorted()
}
