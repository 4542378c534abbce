import Foundation

// embed OUTPUT FILE…: writes Swift code with the bytes of text files.

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

var code = """
  enum PackageResources {
    private static func bytes(_ text: StaticString) -> [UInt8] {
      Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

  """
for path in paths {
  let text = try String(contentsOfFile: path, encoding: .utf8)
  code += "  static let \(identifier(path)) = bytes(\(literal(text)))\n"
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
