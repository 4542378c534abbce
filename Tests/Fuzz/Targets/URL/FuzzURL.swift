import HTTP

/// Bytes of a URL, or of a URL, a blank and a reference: what is read is written so that it is read again as the
/// same, and a reference on a page leads to such a URL or nowhere.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzURL(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let text = String(decoding: UnsafeRawBufferPointer(start: data, count: size), as: UTF8.self)
  let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
  guard let url = AbsoluteURL(String(parts[0])) else { return 0 }
  checkAgain(url)
  if parts.count > 1, let next = url.resolving(String(parts[1])) { checkAgain(next) }
  return 0
}

private func checkAgain(_ url: AbsoluteURL) {
  precondition(url.port > 0 && !url.host.isEmpty && url.target.hasPrefix("/"), "\(url)")
  precondition(url.description.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(url)")
  // What was left out, the user information and the fragment, is no part of a URL's text.
  guard url.description.utf8.count <= AbsoluteURL.longest, let again = AbsoluteURL(url.description) else {
    return
  }
  precondition(again.description == url.description, "\(url) is read again as \(again)")
}
