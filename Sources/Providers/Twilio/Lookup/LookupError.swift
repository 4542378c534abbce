import ProviderKit

/// An error that a setting gives to a package. Source: contract 13.4.
struct LookupError: Equatable, Sendable {
  var package = LookupPackage.simSwap
  var code = 60606

  static let schema = Schema<LookupError>(
    "TwilioLookupError", "The error of a package of Lookup.",
    [
      .required("package", \.package, .word, "The package."),
      .required("code", \.code, .integer(60600...60699), "The error code in its object."),
    ])
}
