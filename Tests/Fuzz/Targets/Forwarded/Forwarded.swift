import HTTP

/// The fields that a trusted proxy sends, one per line: `Forwarded`, or with the first letter f, p or h
/// `X-Forwarded-For`, `-Proto` or `-Host`. The client that they tell of is well-formed, and so are the links
/// for it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzForwarded(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  var headers: Headers = ["Host": "sandbox.test"]
  for line in UnsafeRawBufferPointer(start: data, count: size).split(separator: 0x0A) {
    let value = String(decoding: line.dropFirst(), as: UTF8.self)
    switch line.first {
    case UInt8(ascii: "f"): headers.add("X-Forwarded-For", value)
    case UInt8(ascii: "p"): headers.add("X-Forwarded-Proto", value)
    case UInt8(ascii: "h"): headers.add("X-Forwarded-Host", value)
    default: headers.add("Forwarded", value)
    }
  }
  var request = Request(.get, Target("/"), headers: headers, peer: "10.0.0.1:80")
  let networks = ["10.0.0.0/8", "2001:db8::/32"].compactMap { AddressRange($0) }
  PublicAddress(proxies: TrustedProxies(networks)).resolve(&request)
  precondition(IPAddress(withPort: request.peer) != nil, "the client has an address")
  precondition(AbsoluteURL(request.origin) != nil || request.host.utf8.count > 2_000, "links have an origin")
  for text in String(decoding: UnsafeRawBufferPointer(start: data, count: size), as: UTF8.self).split(
    separator: "\n")
  {
    checkAgain(text)
  }
  return 0
}

/// What is accepted is read again as the same.
private func checkAgain(_ text: Substring) {
  if let address = IPAddress(withPort: text) {
    precondition(
      IPAddress(withPort: address.description) == address, "\(text) is another address when it is read again")
  }
  if let range = AddressRange(text), let first = text.split(separator: "/").first.flatMap({ IPAddress($0) }) {
    precondition(range.contains(first), "a network contains its own address")
  }
}
