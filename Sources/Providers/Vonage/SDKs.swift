package import ProviderKit

extension VonageProvider {
  /// Source: contract 1.
  package static let sdks = [
    SDK("vonage-python", .python, baseURL: "HttpClientOptions(api_host=…), always with https"),
    SDK("vonage-node", .node, baseURL: "the option apiHost"),
    SDK("vonage-java", .java, baseURL: "HttpConfig.builder().baseUri(\"$URL\")"),
    SDK("vonage-ruby", .ruby, baseURL: "the options api_host and vonage_host"),
    SDK("vonage-php", .php, baseURL: "the options base_api_url and base_rest_url"),
    SDK("vonage-dotnet", .dotnet, baseURL: "the settings Url.Api and Url.Nexmo"),
  ]
}
