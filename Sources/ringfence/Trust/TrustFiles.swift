import Crypto

/// What clients are given so that they trust the authority, in the forms that they read.
struct TrustFiles {
  /// Where they are.
  let folder: String
  /// The authority alone, in PEM.
  var authority: String { "\(folder)/authority.pem" }
  /// This machine's authorities and ours, in PEM.
  var bundle: String { "\(folder)/bundle.pem" }
  /// The same as a PKCS #12 trust store, for Java.
  var store: String { "\(folder)/trust.p12" }
  /// Where this machine's authorities were found; nil where they were not, so that only ours are in the files.
  let systemRoots: String?

  /// What Java is told of the store at its start; it takes what stands between double quotes for one word.
  var javaOptions: [String] {
    [("", store), ("Type", "PKCS12"), ("Password", Self.storePassword)].map { end, value in
      let option = "-Djavax.net.ssl.trustStore\(end)=\(value)"
      return option.contains(" ") ? "\"\(option)\"" : option
    }
  }

  /// The trust store's password: Java's own habit, since there is nothing to hide.
  static let storePassword = "changeit"

  /// What is to be said where they hold no authority but ours.
  static let lonely =
    "this machine's authorities were not found, so whoever trusts this trusts the sandbox alone"

  /// Writes them into a folder, which is made where there is none.
  static func write(_ authority: CertificateAuthority, in folder: String) throws -> TrustFiles {
    let system = try SystemRoots()
    system.bundle.add(authority)
    try Files.makeFolders(folder)
    let files = TrustFiles(folder: folder, systemRoots: system.file)
    try Files.write(authority.rootPEM, to: files.authority)
    try Files.write(system.bundle.pem, to: files.bundle)
    try Files.write(system.bundle.trustStore(password: storePassword), to: files.store)
    return files
  }
}
