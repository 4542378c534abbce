import ArgumentParser
import Crypto
import Glibc

/// `ringfence ca`: the certificate that clients of the HTTPS listener have to trust.
struct CACommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ca", abstract: "Print the authority that HTTPS clients have to trust.",
    discussion: """
      It can vouch for the providers' host names, localhost and the loopback, and for nothing else. curl takes it with \
      --cacert, Python with REQUESTS_CA_BUNDLE or SSL_CERT_FILE, Node with NODE_EXTRA_CA_CERTS.
      """)

  @Option(help: "The data folder of the sandbox. Without it, the user's own.")
  var data: String?
  @Flag(help: "Print where the file is instead.")
  var path = false

  func run() throws {
    let folder = data ?? Authority.userFolder
    let authority = try Authority.kept(in: folder)
    if path {
      print(Authority.certificateFile(in: folder))
    } else {
      print(authority.certificatePEM, terminator: "")
    }
  }
}
