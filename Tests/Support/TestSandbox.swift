package import Basics
import Carrier
package import Control
package import Database
package import Domain
package import Foundation
package import HTTP
package import ProviderKit

/// An isolated set of sandboxes for one test: in memory, clock frozen at 2026-01-05T10:20:30Z, entropy seed
/// 1, loaded with `Seeds/default`. Requests go through the real dispatcher.
///
/// ```swift
/// let world = try TestSandbox()
/// let exchange = try world.send(.to("/control/clock"))
/// #expect(exchange.answer == #"200 {"mode":"frozen","now":"2026-01-05T10:20:30Z"}"#)
/// exchange.matches(golden: "frozen")
/// ```
///
/// It has the carrier, the control API and the providers that it is made with. `withCatalog()` in
/// `CatalogSupport` has all providers, the console and MCP.
package final class TestSandbox {
  /// The time at which every test starts.
  package static let start = Timestamp(milliseconds: 1_767_608_430_000)

  /// Generates key pairs of devices, as the program does.
  package static let makeKey = SigningKey.p256

  /// The settings of most tests.
  package static var settings: Sandboxes.Settings { .init(makeKey: makeKey) { start } }

  /// All sandboxes; most tests need only `sandbox`.
  package let sandboxes: Sandboxes
  package let dispatcher: Dispatcher
  /// Sends webhooks to `receiver`.
  package let webhooks: WebhookDispatch
  package let receiver: TestReceiver
  /// The internal errors that the dispatcher reported.
  package private(set) var reports: [String] = []

  package convenience init(
    of providers: any Provider.Type..., change: (inout Sandboxes.Settings) -> Void = { _ in }
  ) throws {
    var settings = Self.settings
    change(&settings)
    try self.init(in: Database(.memory), settings: settings, parts: Parts(providers: providers))
  }

  /// Opens the sandboxes of a database. `seeds` are those that `POST /control/sandboxes` can name. `pages`
  /// are the owners of other routes.
  package init(
    in database: Database, settings: Sandboxes.Settings = settings, parts: Parts,
    seeds: [String: [SeedLibrary.File]] = [:], tokens: AccessTokens? = nil,
    report: @escaping (Sandbox) throws -> BodyPieces = { _ in BodyPieces { nil } },
    pages: (Sandboxes, ControlAPI, InProcessTransport) -> [RouteOwner<Sandbox>] = { _, _, _ in [] }
  ) throws {
    var origin = Sandbox.Configuration()
    origin.clock = .frozen(Self.start)
    var settings = settings
    settings.chaos = { FailureGroup.chaosTable }
    settings.failure = { FailureMatch.failure(of: $0, in: $1)?.id }
    var library = parts.library
    library.files.merge(seeds) { $1 }
    sandboxes = try Sandboxes(
      in: database, settings: settings, seeds: library, hooks: parts.hooks, defaultConfiguration: origin)
    let metrics = Metrics()
    let sink = Sink()
    let transport = InProcessTransport()
    let control = ControlAPI(
      sandboxes, metrics: metrics, transport: transport, tokens: tokens, report: report)
    dispatcher = Dispatcher(
      sandboxes, owners: parts.owners + [control.owner] + pages(sandboxes, control, transport),
      metrics: metrics,
      report: { sink.reports.append($0) })
    transport.connect(dispatcher, to: sandboxes)
    if let tokens { dispatcher.accessRules = AccessRules(tokens: tokens) { Self.start } }
    let receiver = TestReceiver()
    webhooks = WebhookDispatch(sandboxes, providers: parts.providers) {
      sink.reports.append($0)
    } send: {
      receiver.take(to: $0, $1, within: $2, then: $3)
    }
    self.receiver = receiver
    self.sink = sink
  }

  /// The default sandbox.
  package var sandbox: Sandbox { sandboxes.defaultSandbox }

  /// The response to a request. A pending reply is polled once and then gets its timeout.
  package func answer(_ request: Request) throws -> Response {
    defer { reports = sink.reports }
    let reply = dispatcher.respond(to: request)
    sendWebhooks()
    switch reply {
    case .now, .after, .streamed, .webSocket: return try reply.whole ?? Response(500)
    case .pending(let reply):
      try runJobs()
      return try reply.answer() ?? reply.onTimeout()
    case .blocked(let request):
      try sandboxes.catchUp()
      return try request.reply()?.whole ?? request.onTimeout()
    }
  }

  /// Runs all jobs to their ends.
  package func runJobs() throws { while sandboxes.hasJobs { try sandboxes.catchUp() } }

  /// The response to a request, or its pending reply.
  package func reply(to request: Request) -> Reply { dispatcher.respond(to: request) }

  /// Sends all webhooks that are due, and those that become due while the clock moves, as at the end of a
  /// tick.
  package func sendWebhooks() {
    while sandboxes.mayHaveReadyWebhooks, !receiver.isSilent {
      webhooks.prepare()
      webhooks.sendReady()
    }
  }

  private let sink: Sink

  private final class Sink {
    var reports: [String] = []
  }

  /// What all test sandboxes of some providers can share.
  package struct Parts {
    package let providers: [any Provider.Type]
    let hooks: [ProviderHooks]
    let library: SeedLibrary
    let owners: [RouteOwner<Sandbox>]

    package init(providers: [any Provider.Type]) throws {
      self.providers = providers
      hooks = providers.map { $0.hooks }
      library = SeedLibrary(
        sections: providers,
        names: providers.map { $0.routeNames } + [Carrier.routeNames],
        files: ["default": try Self.defaultSeed(of: providers)], stories: try Self.stories,
        readKey: SigningKey.init(pem:))
      owners = providers.map { $0.owner } + [Carrier.owner]
    }

    /// The files of `Seeds/default` in this checkout, then the providers' own.
    private static func defaultSeed(of providers: [any Provider.Type]) throws -> [SeedLibrary.File] {
      try files(in: "Seeds/default")
        + providers.map { SeedLibrary.File(name: "\($0.name).json", bytes: $0.defaultSeed) }
    }

    /// Those of `Seeds/workshops`, by name.
    private static var stories: [String: SeedLibrary.File] {
      get throws {
        try files(in: "Seeds/workshops").reduce(into: [:]) {
          $0[String($1.name.dropLast(".json".count))] = $1
        }
      }
    }

    private static func files(in folder: String) throws -> [SeedLibrary.File] {
      let folder = Checkout.root.appending(path: folder)
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "json" }
        .sorted { $0.path < $1.path }
        .map { SeedLibrary.File(name: $0.lastPathComponent, bytes: Array(try Data(contentsOf: $0))) }
    }
  }
}

/// The location of this checkout.
package enum Checkout {
  /// The folder with `Package.swift`.
  package static var root: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }
}
