import HTTP

/// A URL that somebody wants called: what is taken makes a request line and a `Host` field that nothing can be
/// smuggled through.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzURL(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: data, count: size)
  guard let url = AbsoluteURL(String(decoding: bytes, as: UTF8.self)) else { return 0 }
  precondition(!url.host.isEmpty && url.port > 0 && url.target.hasPrefix("/"), "a URL has its parts")
  let request = RequestEncoder.post(url, headers: [:], body: [])
  let lines = request.split(separator: 0x0A, omittingEmptySubsequences: false)
  precondition(lines.count == 6, "four lines, an empty one and no body: \(lines.count)")
  precondition(lines.dropLast().allSatisfy { $0.last == 0x0D && $0.dropLast().allSatisfy { $0 >= 0x20 } })
  precondition(lines[0].count { $0 == 0x20 } == 2, "a request line has two blanks")
  return 0
}
