import JSON

/// Loads one document of a seed in steps: first its bytes are parsed, then its records are stored.
///
/// A class because each step continues after the last one.
package final class SeedLoading {
  private static let bytesPerStep = 64 << 10

  /// Nil for the body of a request.
  private let file: SeedLibrary.File?
  private let sandbox: Sandbox
  private let library: SeedLibrary
  /// Nil when the document is parsed.
  private var parser: PiecewiseParser?
  private var steps = Steps()

  package init(
    _ bytes: [UInt8], of file: SeedLibrary.File? = nil, into sandbox: Sandbox, library: SeedLibrary
  ) {
    self.file = file
    self.sandbox = sandbox
    self.library = library
    parser = PiecewiseParser(bytes, limits: .seed)
  }

  /// Returns false after the last step.
  package func runNext() throws -> Bool {
    do {
      guard parser != nil else { return try steps.runNext() }
      guard let document = try parsedDocument() else { return true }
      parser = nil
      let isShipped = file?.isShipped ?? false
      steps = try library.steps(loading: document, isShipped: isShipped, into: sandbox)
      return true
    } catch let error as FieldError {
      throw file.map { error.inDocument($0.name) } ?? error
    }
  }

  /// Nil while it is not parsed to its end.
  private func parsedDocument() throws -> Fields? {
    if let known = file.flatMap(library.parsedSeeds.find) { return known }
    let document = try parser?.parse(bytes: Self.bytesPerStep).map { try Fields($0) }
    if let file, let document { library.parsedSeeds.keep(document, of: file) }
    return document
  }
}
