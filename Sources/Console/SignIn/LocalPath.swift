/// A path of this server with its query. A browser that is sent there stays on this server.
struct LocalPath {
  let text: String

  private static let maxLength = 2000

  /// Nil for everything that browsers read as another host: `//host` and `/\host`, also with the tabs and
  /// line ends that they leave out. Source: WHATWG URL, 4.4.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.maxLength,
      bytes.dropFirst().first != UInt8(ascii: "/"),
      bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
    else { return nil }
    self.text = text
  }
}
