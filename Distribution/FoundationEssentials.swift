// What the library for arguments takes from Foundation, for the executable that people install. Foundation
// itself would be an eighth of it, and only for the hidden `--experimental-dump-help`, which ends here.

import Glibc

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}

public final class JSONEncoder {
  public struct OutputFormatting: Sendable {
    public static let prettyPrinted = OutputFormatting()
    public static let sortedKeys = OutputFormatting()
  }

  public init() { exit(EXIT_FAILURE) }
}

public struct Data {}

extension String {
  public struct Encoding: Sendable {
    public static let utf8 = Encoding()
  }

  public init?(data: __shared Data, encoding: Encoding) { nil }
}
