import HTTP

/// A form body is rejected, or its fields survive encoding and parsing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzForm(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: size))
  guard let form = try? Form(parsing: bytes) else { return 0 }
  let pairs = form.pairs
  precondition(pairs.count <= Form.fieldLimit)
  let names = pairs.map(\.name)
  precondition(form.unread.prefix(50) == names.prefix(50))
  let read = Set(pairs.prefix(16).map(\.name))
  for name in read {
    precondition(form[name] == pairs.first { $0.name == name }?.value)
    precondition(form.all(name) == pairs.filter { $0.name == name }.map(\.value))
  }
  precondition(form.unread.prefix(50) == names.filter { !read.contains($0) }.prefix(50))

  let text = pairs.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
  guard let again = try? Form(parsing: Array(text.joined(separator: "&").utf8)) else {
    preconditionFailure("rejected after encoding: \(text)")
  }
  precondition(again.pairs.elementsEqual(pairs, by: ==), "\(pairs) became \(again.pairs)")
  return 0
}
