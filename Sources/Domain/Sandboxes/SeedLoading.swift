import JSON

/// Loads one document of a seed in steps: first its bytes are parsed, then its records are stored.
///
/// A class because each step continues after the last one.
final class SeedLoading {
  private static let bytesPerStep = 64 << 10

  /// For error messages; nil for the body of a request.
  private let name: String?
  private let sandbox: Sandbox
  private let library: SeedLibrary
  /// Nil when the document is parsed.
  private var parser: PiecewiseParser?
  private var steps = Steps()

  init(_ bytes: [UInt8], named name: String?, into sandbox: Sandbox, library: SeedLibrary) {
    self.name = name
    self.sandbox = sandbox
    self.library = library
    parser = PiecewiseParser(bytes, limits: .seed)
  }

  /// Returns false after the last step.
  func runNext() throws -> Bool {
    do {
      guard parser != nil else { return try steps.runNext() }
      guard let document = try parser?.parse(bytes: Self.bytesPerStep) else { return true }
      parser = nil
      steps = try library.steps(loading: Fields(document), into: sandbox)
      return true
    } catch let error as FieldError {
      throw name.map { error.inDocument($0) } ?? error
    }
  }
}
