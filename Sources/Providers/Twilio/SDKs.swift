package import ProviderKit

extension TwilioProvider {
  /// Source: contract 1.4.
  package static let sdks = [
    SDK("twilio-python", .python, baseURL: "client.verify.base_url = \"$URL\""),
    SDK("twilio-python-async", .python, baseURL: "client.verify.base_url = \"$URL\"", proxy: ""),
    SDK("twilio-node", .node, baseURL: "client.verify.baseUrl = \"$URL\"", proxy: "HTTP_PROXY only"),
    SDK("twilio-go", .go, baseURL: "ClientParams.Client with a transport that rewrites scheme and host"),
    SDK(
      "twilio-java", .java, baseURL: "TwilioRestClient.Builder.httpClient with a client that rewrites URLs"),
    SDK(
      "twilio-ruby", .ruby,
      baseURL: "the fifth argument of Twilio::REST::Client.new, a client that rewrites URLs"),
    SDK("twilio-php", .php, baseURL: "the fifth argument of new Client, a client that rewrites URLs"),
    SDK(
      "twilio-csharp", .dotnet,
      baseURL: "TwilioClient.SetRestClient over a DelegatingHandler that rewrites URLs"),
  ]
}
