// The table. Sources: for the vendors' SDKs the contracts, for languages the documentation of their clients, both read
// 2026-11-21.

extension SDK {
  /// Every SDK that something is known of.
  static let all = twilio + telesign + prelude + firebase + languages

  /// Source: twilio-verify.md 1.4.
  private static let twilio = [
    SDK("twilio-python", at: "client.verify.base_url = \"$URL\"", .python),
    SDK(
      "twilio-python-async", at: "client.verify.base_url = \"$URL\"", .python, proxy: ""),
    SDK("twilio-node", at: "client.verify.baseUrl = \"$URL\"", .node, proxy: "HTTP_PROXY alone"),
    SDK("twilio-go", at: "ClientParams.Client with a transport that rewrites scheme and host", .go),
    SDK("twilio-java", at: "TwilioRestClient.Builder.httpClient with a client that rewrites URLs", .java),
    SDK(
      "twilio-ruby", at: "the fifth argument of Twilio::REST::Client.new, a client that rewrites URLs", .ruby),
    SDK("twilio-php", at: "the fifth argument of new Client, a client that rewrites URLs", .php),
    SDK(
      "twilio-csharp", at: "TwilioClient.SetRestClient over a DelegatingHandler that rewrites URLs", .dotnet),
  ]

  /// Source: telesign.md 3.1.
  private static let telesign = [
    SDK(
      "telesign-python", at: "rest_endpoint=\"$URL\"; OmniVerify instead of createVerificationProcess",
      .python),
    SDK(
      "telesign-node", at: "the third argument of each client; that of the Verify API is the last one", .node),
    SDK(
      "telesign-ruby", at: "rest_endpoint: \"$URL\", and rest_endpoint_verify: of the Verify client", .ruby,
      proxy: "the argument proxy: :ENV, of the self-service clients only"),
    SDK("telesign-php", at: "$rest_endpoint; OmniVerifyClient instead of VerifyClient", .php),
    SDK("telesign-java", at: "the argument restEndpoint", .java),
    SDK(
      "telesign-csharp", at: "the argument restEndpoint; OmniVerifyClient instead of VerifyClient", .dotnet),
  ]

  /// Source: prelude.md 1.3.
  private static let prelude = [
    SDK("prelude-python", at: preludeVariable, .python), SDK("prelude-node", at: preludeVariable, .node),
    SDK("prelude-go", at: preludeVariable, .go), SDK("prelude-java", at: preludeVariable, .java),
    SDK("prelude-ruby", at: preludeVariable, .ruby), SDK("prelude-php", at: preludeVariable, .php),
    SDK("prelude-csharp", at: preludeVariable, .dotnet),
  ]
  private static let preludeVariable = "PRELUDE_BASE_URL=$URL"

  /// Source: push-gateway.md 1.5.
  private static let firebase = [
    SDK("firebase-admin-python", at: nil, .python), SDK("firebase-admin-java", at: nil, .java),
    SDK(
      "firebase-admin-node", at: nil, .node,
      proxy:
        "the app's option httpAgent; sendEach only with enableLegacyHttpTransport(), else it wants HTTP/2"),
    SDK("firebase-admin-go", at: "option.WithEndpoint(\"$URL/v1\")", .go),
    SDK("firebase-admin-dotnet", at: "an HttpClientFactory of the app's own", .dotnet),
  ]

  private static let languages = Language.allCases.map { SDK($0.rawValue, at: nil, $0) }
}
