package import ProviderKit

extension SinchProvider {
  /// Source: contract 11.
  package static let sdks = [
    SDK(
      "sinch-python", .python,
      baseURL: "configuration.verification_origin=\"HOST:PORT\" of $URL; configuration.disable_https=True"),
    SDK("sinch-node", .node, baseURL: "verificationHostname: \"$URL\""),
    SDK("sinch-java", .java, baseURL: "VerificationContext.builder().setVerificationUrl(\"$URL\")"),
  ]
}
