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
let checks = paths.filter { URL(fileURLWithPath: $0).pathComponents.dropLast().last == "Checks" }
if !checks.isEmpty {
  let files = checks.sorted().map { (path: String) -> String in
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return "(\"\(name)\", \(identifier(path)))"
  }
  code += "  /// The files of the folder `Checks` by name.\n"
  code += "  static let checks: [(name: String, text: [UInt8])] = [\(files.joined(separator: ", "))]\n"
}
code += "}\n"
// SwiftPM runs this more often than files change, and a new date would compile the target again.
if (try? String(contentsOfFile: output, encoding: .utf8)) != code {
  try code.write(toFile: output, atomically: true, encoding: .utf8)
}
