package import ProviderKit

extension TelesignProvider {
  /// Source: contract 3.1.
  package static let sdks = [
    SDK(
      "telesign-python", .python,
      baseURL: "rest_endpoint=\"$URL\"; OmniVerify instead of createVerificationProcess"),
    SDK(
      "telesign-node", .node,
      baseURL: "the third argument of each client; the last one for the client of the Verify API"),
    SDK(
      "telesign-ruby", .ruby,
      baseURL: "rest_endpoint: \"$URL\", and rest_endpoint_verify: for the Verify client",
      proxy: "the argument proxy: :ENV, of the self-service clients only"),
    SDK("telesign-php", .php, baseURL: "$rest_endpoint; OmniVerifyClient instead of VerifyClient"),
    SDK("telesign-java", .java, baseURL: "the argument restEndpoint"),
    SDK(
      "telesign-csharp", .dotnet,
      baseURL: "the argument restEndpoint; OmniVerifyClient instead of VerifyClient"),
  ]
}
