import Catalog
import Crypto
import ProviderKit

/// Where the authority of our own is kept that vouches for the providers' host names.
enum Authority {
  /// The authority of this folder, made at its first use, and anew when the providers' hosts have changed or its
  /// time is over. Of several programs that come at once, one makes it.
  static func kept(in folder: String) throws -> CertificateAuthority {
    if let kept = read(in: folder) { return kept }
    try Files.makeFolders(folder)
    let turn = try Files.turn("\(folder)/authority.lock")
    defer { turn.end() }
    if let kept = read(in: folder) { return kept }
    let made = fresh()
    // The key first: a certificate without its key would be trusted for nothing.
    try Files.write(made.issuerPEM, to: keyFile(in: folder), isSecret: true)
    try Files.write(made.rootPEM, to: certificateFile(in: folder))
    return made
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

  /// An authority that is kept nowhere.
  static func fresh() -> CertificateAuthority { CertificateAuthority(for: names) }

  /// The file with the certificate that clients have to trust.
  static func certificateFile(in folder: String) -> String { "\(folder)/authority.pem" }

  /// Where the user's data lie, for a sandbox that has no folder of its own (XDG base directories).
  static var userFolder: String {
    if let data = Environment["XDG_DATA_HOME"] { return "\(data)/ringfence" }
    return "\(Environment["HOME"] ?? "/tmp")/.local/share/ringfence"
  }

  /// The folder that a command was told of, else the user's own; made where there is none, and from the root on, since
  /// what is printed of it is read elsewhere.
  static func folder(_ told: String?) throws(Files.Failure) -> String {
    let folder = told ?? userFolder
    try Files.makeFolders(folder)
    return try Files.absolute(folder)
  }

  /// The names that it vouches for: all of the providers' hosts.
  static let names = catalog.flatMap { $0.hosts }.sorted()
}
