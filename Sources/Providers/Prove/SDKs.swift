package import ProviderKit

extension ProveProvider {
  /// Source: contract 1.3 and 12.
  package static let sdks = [
    SDK("prove-go", .go, baseURL: "provesdkservergo.WithServerURL(\"$URL\")"),
    SDK("prove-node", .node, baseURL: "new Proveapi({ serverURL: \"$URL\" })"),
    SDK("prove-java", .java, baseURL: "Proveapi.builder().serverURL(\"$URL\")"),
    SDK("prove-dotnet", .dotnet, baseURL: "new ProveAPI(serverUrl: \"$URL\")"),
  ]
}
