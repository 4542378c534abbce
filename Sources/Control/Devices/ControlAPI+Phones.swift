import QRCode

/// The files by which phones trust the server's certificates.
package struct AuthorityFiles: Sendable {
  /// A configuration profile, for iOS.
  let profile: [UInt8]
  /// The certificate in DER, for Android.
  let certificate: [UInt8]

  package init(profile: [UInt8], certificate: [UInt8]) {
    self.profile = profile
    self.certificate = certificate
  }
}

/// Routes for real phones in the same network. All of them are open to everybody, except the two of the
/// setup.
extension ControlAPI {
  var phoneOperations: [Operation] {
    [
      Operation(
        .deferred(.get, "/control/phone/pushes", as: "listPhonePushes", listPhonePushes), access: .open,
        secret: true,
        "List the pushes that have arrived at the app with a push token. For phones: needs no token of the control API.",
        query: Parameter.phonePushes, .page(PushView.page)),
      Operation(
        .get("/control/phone/setup", as: "fetchPhoneSetup", fetchPhoneSetup), access: .participant,
        secret: true,
        "Get what an app with a provider's mobile SDK needs to register here.", query: Parameter.phoneSetup,
        .json(PhoneSetup.schema)),
      Operation(
        .get("/control/phone/qr.svg", as: "fetchPhoneSetupCode", fetchPhoneSetupCode), access: .participant,
        secret: true,
        "Get the same as a QR code.", query: Parameter.phoneSetup, .file("image/svg+xml")),
      Operation(
        .get("/control/phone/authority.mobileconfig", as: "fetchAuthorityProfile", fetchAuthorityProfile),
        access: .open,
        "Get the profile by which iOS trusts the server's certificates. For phones.",
        .file("application/x-apple-aspen-config")),
      Operation(
        .get("/control/phone/authority.crt", as: "fetchAuthorityCertificate", fetchAuthorityCertificate),
        access: .open,
        "Get the authority's certificate for Android. For phones.", .file("application/x-x509-ca-cert")),
    ]
  }

  private func fetchAuthorityProfile(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try file("application/x-apple-aspen-config") { $0.profile }
  }

  private func fetchAuthorityCertificate(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try file("application/x-x509-ca-cert") { $0.certificate }
  }

  private func file(_ type: String, _ bytes: (AuthorityFiles) -> [UInt8]) throws -> Response {
    guard let authority else { throw ControlProblem.notFound("certificate authority") }
    return Response(200, headers: ["Content-Type": type], body: bytes(try authority()))
  }

  private func fetchPhoneSetup(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    PhoneSetup.schema.response(try phoneSetup(request, sandbox))
  }

  private func fetchPhoneSetupCode(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let text = String(decoding: PhoneSetup.schema.encode(try phoneSetup(request, sandbox)), as: UTF8.self)
    guard let code = QRCode(text) else {
      throw ControlProblem(409, "the setup has \(text.utf8.count) bytes, too many for a QR code")
    }
    return Response(200, headers: ["Content-Type": "image/svg+xml"], body: Array(code.svg.utf8))
  }

  private func phoneSetup(_ request: Request, _ sandbox: Sandbox) throws -> PhoneSetup {
    let query = try request.query
    let names = sandboxes.seeds.sections.map { $0.name }
    guard let provider = try Parameter.setupProvider.value(in: query), names.contains(provider) else {
      throw FormError(field: "provider", expected: "one of \(names.joined(separator: ", "))")
    }
    var enrolment = Enrolment()
    enrolment.identity = try Parameter.identity.value(in: query)
    enrolment.service = try Parameter.service.value(in: query)
    let number = try Parameter.setupNumber.value(in: query).map { text in
      guard let number = PhoneNumber(text) else {
        throw FormError(field: "number", expected: PhoneNumber.expected)
      }
      return number
    }
    let setup = sandbox.appSetup(of: provider)
    for member in enrolment.members where setup?.members.contains(member) != true {
      throw FormError(
        field: member.rawValue, expected: "nothing, because apps of \(provider) register without it")
    }
    do {
      let values = try setup?.values(sandbox, enrolment, number)
      return PhoneSetup(
        provider: provider, base: sandbox.baseURL(requestOrigin: request.origin), values: values ?? [])
    } catch let refusal as AppRefusal {
      throw ControlProblem(409, "\(refusal)")
    }
  }
}

/// The addresses and values that an app with a provider's mobile SDK needs to register here. A QR code
/// contains them.
struct PhoneSetup: Sendable {
  let provider: String
  /// The URL at which phones reach the sandbox.
  let base: String
  let values: [AppRequest.Parameter]

  static let schema = Schema<PhoneSetup>(
    "PhoneSetup", "What an app with a provider's mobile SDK needs to register here.",
    [
      .readOnly("provider", .string, "The provider.") { $0.provider },
      .readOnly("url", .string, "The base URL that replaces the provider's, for SDKs that take one.") {
        "\($0.base)/\($0.provider)"
      },
      .readOnlyIfPresent("proxy", .string, "The HTTP proxy for SDKs with a fixed host.") { setup in
        AbsoluteURL(setup.base).map { "\($0.host):\($0.port)" }
      },
      .readOnly("profile", .string, "The configuration profile for iOS.") {
        "\($0.base)/control/phone/authority.mobileconfig"
      },
      .readOnly("certificate", .string, "The authority's certificate for Android.") {
        "\($0.base)/control/phone/authority.crt"
      },
      .readOnly("pushes", .string, "Where the app polls for pushes: add token, after and wait.") {
        "\($0.base)/control/phone/pushes"
      },
      .readOnly("values", .json(.map(.string())), "What the SDK takes, such as an access token.") { setup in
        JSON.object(setup.values.map { .init(name: $0.name, value: .string($0.value)) })
      },
    ])
}
