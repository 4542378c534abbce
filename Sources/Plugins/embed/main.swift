import CZlib
import Foundation

// embed OUTPUT FILE…: writes Swift code with the bytes of text files. Pages (`.md`) and checks (`.http`),
// which are many and rarely read, are packed as gzip in Base64.

let (output, paths) = (CommandLine.arguments[1], CommandLine.arguments.dropFirst(2))

/// `Seed_json` for `…/Seed.json`.
func identifier(_ path: String) -> String {
  let name = URL(fileURLWithPath: path).lastPathComponent
  return String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
}

/// A text between quotation marks, as Swift reads it.
func literal(_ text: String) -> String {
  var literal = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\", "\"": literal += "\\\(scalar)"
    case "\n": literal += "\\n"
    case " "...: literal.unicodeScalars.append(scalar)
    default: literal += "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
  return literal + "\""
}

func packed(_ text: String) -> String {
  var (input, stream) = (Array(text.utf8), z_stream())
  let size = Int32(MemoryLayout<z_stream>.size)
  deflateInit2_(
    &stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
  defer { deflateEnd(&stream) }
  var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
  input.withUnsafeMutableBufferPointer { input in
    output.withUnsafeMutableBufferPointer { output in
      (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
      (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
      deflate(&stream, Z_FINISH)
    }
  }
  return Data(output.prefix(Int(stream.total_out))).base64EncodedString()
}

func isPacked(_ path: String) -> Bool { path.hasSuffix(".md") || path.hasSuffix(".http") }

var code = """
  enum PackageResources {
    private static func bytes(_ text: StaticString) -> [UInt8] {
      Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

  """
if paths.contains(where: isPacked) {
  code = """
    import Compression
    import Crypto

    \(code)
      private static func unpacked(_ text: StaticString) -> [UInt8] {
        guard let packed = Base64.decode(bytes(text)[...]), let page = try? Gunzip.decompress(packed, limit: 1 << 20)
        else {
          preconditionFailure("a file is embedded wrongly")
        }
        return page
      }

    """
}
for path in paths {
  let text = try String(contentsOfFile: path, encoding: .utf8)
  let content = isPacked(path) ? "unpacked(\(literal(packed(text))))" : "bytes(\(literal(text)))"
  code += "  static let \(identifier(path)) = \(content)\n"
}
let files = paths.sorted().map { path in
  let url = URL(fileURLWithPath: path)
  let (folder, name) = (url.deletingLastPathComponent(), url.deletingPathExtension())
  return "(\(literal(folder.lastPathComponent)), \(literal(name.lastPathComponent)), { \(identifier(path)) })"
}
code += """

    private static let files: [(folder: String, name: String, text: @Sendable () -> [UInt8])] = [
      \(files.joined(separator: ",\n    "))
    ]

    /// The files of a folder by name: `Setup` for `Setup.http`.
    static func files(in folder: String) -> [(name: String, text: [UInt8])] {
      files.filter { $0.folder == folder }.map { ($0.name, $0.text()) }
    }
  }

  """
// SwiftPM runs this more often than files change, and a new date would compile the target again.
if (try? String(contentsOfFile: output, encoding: .utf8)) != code {
  try code.write(toFile: output, atomically: true, encoding: .utf8)
}
