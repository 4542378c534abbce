import Twilio

/// A document is refused at a place of it, or read; what was read is within the limits, and the same when it
/// is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTwiML(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: size))
  _ = try? TwiML(bytes)
  let root: XMLElement
  do throws(XMLError) {
    root = try XMLReader.root(of: bytes)
  } catch {
    precondition((1...bytes.count + 1).contains(error.line) && (1...bytes.count + 1).contains(error.column))
    return 0
  }
  precondition(depth(of: root) <= XMLReader.maxDepth)
  let text = written(root)
  // References make a text longer.
  guard text.utf8.count <= XMLReader.maxSize else { return 0 }
  precondition((try? XMLReader.root(of: Array(text.utf8))) == root, text)
  return 0
}

private func depth(of element: XMLElement) -> Int { 1 + (element.elements.map(depth).max() ?? 0) }

private func written(_ element: XMLElement) -> String {
  let attributes = element.attributes.map { " \($0.name)=\"\(escaped($0.value))\"" }.joined()
  let content = element.nodes.map { node in
    switch node {
    case .element(let inner): written(inner)
    case .text(let text): escaped(text)
    }
  }
  return "<\(element.name)\(attributes)>\(content.joined())</\(element.name)>"
}

private func escaped(_ text: String) -> String {
  text.unicodeScalars.map { scalar in
    scalar.value < 0x20 || "&<>\"".unicodeScalars.contains(scalar) ? "&#\(scalar.value);" : String(scalar)
  }.joined()
}
