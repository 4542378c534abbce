import Glibc

/// The names that this machine's hosts file gives to addresses.
package enum HostsFile {
  /// Those with loopback addresses, in lower case. Read once, when first needed: some files have 100,000
  /// names.
  package static let loopbackNames = loopbackNames(in: text)

  package static func loopbackNames(in text: String) -> Set<String> {
    var names: Set<String> = []
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      guard let address = words.first, SocketAddress(host: String(address), port: 0).isLoopback else {
        continue
      }
      names.formUnion(words.dropFirst().map { $0.lowercased() })
    }
    return names
  }

  private static var text: String {
    guard let file = fopen("/etc/hosts", "rb") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: sizeLimit)
    let count = fread(&bytes, 1, sizeLimit, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// In bytes. What follows is not read.
  private static let sizeLimit = 8 << 20
}
