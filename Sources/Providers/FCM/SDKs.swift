package import ProviderKit

extension FCMProvider {
  /// Source: contract 1.5.
  package static let sdks = [
    SDK("firebase-admin-python", .python, baseURL: nil),
    SDK("firebase-admin-java", .java, baseURL: nil),
    SDK(
      "firebase-admin-node", .node, baseURL: nil,
      proxy:
        "the app's option httpAgent for send(); sendEach() uses HTTP/2 without a proxy: ringfence run --isolated, or "
        + "enableLegacyHttpTransport()"
    ),
    SDK("firebase-admin-go", .go, baseURL: "option.WithEndpoint(\"$URL/v1\")"),
    SDK("firebase-admin-dotnet", .dotnet, baseURL: "an HttpClientFactory of the app"),
  ]
}
