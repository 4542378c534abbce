/// What faults can name, for clients that choose from a list.
extension ControlAPI {
  /// All providers, or the one of the query.
  func fetchFaultOptions(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let provider = try provider(request.query)
    let names = sandboxes.seeds.names.filter { provider == nil || provider == $0.provider }
    return FaultOptions.schema.response(names)
  }
}

enum FaultOptions {
  static let schema = Schema<[RouteNames]>(
    "FaultOptions", "What faults can name.",
    [
      .readOnly("providers", .objects(provider), "The providers, and the mobile network.") { $0 },
      .readOnly("damage", .array(of: .word), "The kinds of damage.") { _ in Fault.Damage.allCases },
      .readOnly("when", .array(of: .word), "When a request fails.") { _ in Fault.Moment.allCases },
      .readOnly("delivery", .array(of: .word), "What can happen to a webhook.") { _ in
        WebhookFault.Delivery.allCases
      },
      .readOnly("signature", .array(of: .word), "What can be wrong with a webhook's signature.") { _ in
        WebhookFault.Signature.allCases
      },
    ])

  private static let provider = Schema<RouteNames>(
    "ProviderFaultOptions", "The routes and codes of one provider.",
    [
      .readOnly("name", .string, "The provider.") { $0.provider },
      .readOnly("routes", .objects(route), "Its routes.") { $0.routes },
      .readOnly("codes", .array(of: .string), "Its error codes.") { $0.errorCodes },
      .readOnly("webhookKinds", .array(of: .string), "The kinds of its webhooks.") { $0.webhookKinds },
      .readOnly(
        "timestampedKinds", .array(of: .string), "The kinds of webhooks whose timestamp can be set back."
      ) { $0.timestampedKinds },
      .readOnly(
        "statuses", .objects(status),
        "The statuses of messages and calls that a scenario's providerStatus can name."
      ) { $0.statuses },
    ])

  private static let status = Schema<ProviderStatus>(
    nil, "",
    [
      .readOnly("name", .string, "The name for providerStatus.") { $0.name },
      .readOnly("text", .string, "The provider's text.") { $0.text },
      .readOnly("channels", .array(of: .word), "The channels whose messages can have it.") { status in
        Channel.allCases.filter { status.channels.contains($0) }
      },
    ])

  private static let route = Schema<RouteNames.Route>(
    nil, "",
    [
      .readOnly("name", .string, "The name for route.") { $0.name },
      .readOnly("method", .string, "The method.") { $0.method },
      .readOnly("path", .string, "The path, with captures in braces.") { $0.path },
    ])
}
