import HTTP

/// A URL, optionally followed by a blank and a reference. An accepted URL makes a valid request line and
/// `Host` field without injected lines, and survives formatting and parsing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzURL(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let text = String(decoding: UnsafeRawBufferPointer(start: data, count: size), as: UTF8.self)
  let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
  guard let url = AbsoluteURL(String(parts[0])) else { return 0 }
  check(url)
  if parts.count > 1, let next = url.resolving(String(parts[1])) { check(next) }
  return 0
}

private func check(_ url: AbsoluteURL) {
  precondition(!url.host.isEmpty && url.port > 0 && url.target.hasPrefix("/"), "a URL has its parts")
  let request = RequestEncoder.request(.post, url, headers: [:], body: [])
  let lines = request.split(separator: 0x0A, omittingEmptySubsequences: false)
  precondition(lines.count == 5, "three lines, an empty one and no body: \(lines.count)")
  precondition(lines.dropLast().allSatisfy { $0.last == 0x0D && $0.dropLast().allSatisfy { $0 >= 0x20 } })
  precondition(lines[0].count { $0 == 0x20 } == 2, "a request line has two blanks")
  checkAgain(url)
}

/// User information and fragment are not part of a URL's text.
private func checkAgain(_ url: AbsoluteURL) {
  guard url.description.utf8.count <= AbsoluteURL.sizeLimit else { return }
  let again = AbsoluteURL(url.description)
  precondition(
    again?.description == url.description, "\(url) is read again as \(again.map { "\($0)" } ?? "none")")
}
