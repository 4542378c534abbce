package import Control
import Markup
package import ProviderKit

/// The pages for people.
///
/// ```
/// GET page ──> Domain: what there is now ──> Markup ──> HTML, readable without the script
/// button   ──> Assets/Scripts    ──> the control API     new events ──> the script fetches the page again
/// ```
/// Only a board, which is large, has a stream with the rows that change.
///
/// Pages only show. Whatever a button does, it does by a request of the control API, so a program can do it
/// too.
package struct Console {
  /// The owner's name in the router.
  package static let name = "console"

  let sandboxes: Sandboxes
  private let joinDesk: JoinDesk
  private let tokens: AccessTokens?

  let catalog: [any Provider.Type]

  /// `tokens` is nil if the server requires none.
  package init(_ sandboxes: Sandboxes, providers: [any Provider.Type], tokens: AccessTokens? = nil) {
    self.sandboxes = sandboxes
    catalog = providers
    self.tokens = tokens
    joinDesk = JoinDesk(sandboxes, tokens: tokens)
  }

  /// The pages as the router sees them.
  package var owner: RouteOwner<Sandbox> {
    RouteOwner(
      name: Self.name, routes: routes, isOwn: true, avoidsOwnedHosts: true,
      denialResponse: { SignInPage.response(insteadOf: $0, to: $1, sandboxes.defaultSandbox) },
      errorResponse: { failure, request, sandbox in ErrorPage(failure).response(request, sandbox) })
  }

  private var providers: [String] { sandboxes.seeds.sections.map { $0.name } }

  private var appProviders: [String] { catalog.filter { $0.mobileSDK != nil }.map { $0.name } }

  private var routes: [Route<Sandbox>] { workshopRoutes + sandboxRoutes + providerRoutes }

  private var workshopRoutes: [Route<Sandbox>] {
    [
      page("/console/workshops", as: "showWorkshops") { _, _ in try WorkshopsPage(sandboxes) }
        .open(to: .admin),
      page("/console/workshops/{workshop}", as: "showWorkshop") { try BoardPage($0, $1, sandboxes) }
        .open(to: .admin),
      .deferred(
        .get, "/console/workshops/{workshop}/stream", as: "followWorkshop", BoardStream(sandboxes).reply
      )
      .open(to: .admin),
      page("/console/workshops/{workshop}/cards", as: "showCards") {
        try CardsPage($0, $1, sandboxes, providers: catalog, tokens: tokens)
      }
      .open(to: .admin),
      .get("/join", as: "showJoin", JoinPage.show)
        .open(to: .open),
      .post("/join", as: "join", JoinPage.submit(joinDesk))
        .open(to: .open),
    ]
  }

  private var sandboxRoutes: [Route<Sandbox>] {
    [
      page("/", as: "showPhones") {
        try PhonesPage($0, $1, providers: catalog, names: providers, appProviders: appProviders)
      }
      .open(to: .participant),
      page("/console/phones/{number}", as: "showPhone") { try PhonePage($0, $1, providers: catalog) }
        .open(to: .participant),
      page("/console/verifications/{id}", as: "showVerification") {
        try VerificationPage($0, $1, providers: catalog)
      }
      .open(to: .participant),
      page("/console/follow", as: "follow") { try FollowPage($0, $1, providers: catalog) }
        .open(to: .participant),
      page("/console/timeline", as: "showTimeline") {
        try TimelinePage($0, $1, providers: catalog, names: providers)
      }
      .open(to: .participant),
      page("/console/requests/{id}", as: "showRequest") { try RequestPage($0, $1, providers: catalog) }
        .open(to: .participant),
      page("/console/connect", as: "showSetup") {
        try ConnectPage($0, $1, providers: catalog, tokens: tokens)
      }
      .open(to: .participant),
      page("/console/break", as: "showFailures") {
        try BreakPage($0, SandboxAddress(of: $1, for: $0, tokens), providers: catalog)
      }
      .open(to: .participant),
      page("/console/docs", as: "showDocs") { _, _ in DocsPage() }
        .open(to: .participant),
      page("/console/docs/{page}", as: "showGuide") { try GuidePage($0, $1) }
        .open(to: .participant),
      page("/console/docs/{folder}/{page}", as: "showGuideInFolder") { try GuidePage($0, $1) }
        .open(to: .participant),
      page("/console/search", as: "search") { try SearchPage($0, $1) }
        .open(to: .participant),
      page("/console/sandboxes", as: "showSandboxes") { _, _ in try SandboxesPage(sandboxes) }
        .open(to: .admin),
      page("/console/settings", as: "showSettings") {
        try SettingsPage($0, $1, sandboxes, tokens: tokens)
      }
      .open(to: .participant),
      .get("/console/sign-in", as: "showSignIn", SignInPage.show)
        .open(to: .open),
      .post("/console/sign-in", as: "signIn", SignInPage.submit)
        .open(to: .open),
      .post("/console/sign-out", as: "signOut", SignInPage.signOut)
        .open(to: .open),
      .get("/console/assets/{name}", as: "fetchAsset", Asset.response)
        .open(to: .open),
      .get("/favicon.ico", as: "fetchIcon", Asset.icon)
        .open(to: .open),
      .get("/console/{page}", as: "showUnknownPage") { request, sandbox in
        throw try NotFound("page \(request.target.path)", request, sandbox)
      }
      .open(to: .participant),
    ]
  }

  private var providerRoutes: [Route<Sandbox>] {
    catalog.compactMap { $0.consolePage }.map { own in
      page(own.path, as: own.name) { _, _ in ProviderPage(own: own) }
        .open(to: .participant)
    }
  }

  /// The route of a page. `read` reads what it shows.
  private func page<Content: Page>(
    _ path: Pattern, as name: String, _ read: @escaping (Request, Sandbox) throws -> Content
  ) -> Route<Sandbox> {
    .deferred(.get, path, as: name) { request, sandbox in
      let content = try read(request, sandbox)
      let isAdmin = tokens?.isAdmin(request) ?? false
      let layout = try Layout(
        request, sandbox, isAdmin: isAdmin, seesAllSandboxes: isAdmin || tokens == nil,
        commandValues: CommandValues(catalog, tokens),
        joined: tokens == nil ? JoinedSandbox(request, in: sandboxes) : nil)
      return layout.reply(content)
    }
  }
}
