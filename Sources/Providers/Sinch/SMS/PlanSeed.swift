import ProviderKit

/// One of `plans` in seeds. Source: `senders.md` 11.
struct PlanSeed {
  var id = ""
  var token = ""
  var projectID: String?
  var keyID: String?
  var keySecret: String?
  var options = PlanOptions()

  static let schema = Schema<PlanSeed>(
    nil, "",
    [
      .required(
        "id", \.id,
        .text(.string(pattern: "^[0-9A-Za-z_-]{1,64}$"), expected: "1 to 64 letters, digits, _ and -") {
          (1...64).contains($0.utf8.count)
            && $0.utf8.allSatisfy { $0.isAlphanumeric || $0 == 0x5F || $0 == 0x2D }
        }, "The id of the service plan."),
      .required(
        "token", \.token, .string(1...200),
        "Its API token. Masked, as in exports, a plan keeps the one that it has."),
      .optional("projectId", \.projectID, .uuid, "The id of its project, which signs in by OAuth."),
      .optional("keyId", \.keyID, .uuid, "The id of the project's access key."),
      .optional(
        "keySecret", \.keySecret, .string(1...200),
        "The secret of the access key. Masked, the key keeps the one that it has."),
      .optional(
        "callbackUrl", \.options.callbackURL, .webURL,
        "Where its inbound messages go, and reports on batches without a callback_url."),
      .optional(
        "hmacSecret", \.options.hmacSecret, .string(1...200),
        "Its callbacks are signed with it. Masked, the plan keeps the one that it has."),
      .optional(
        "defaultOriginator", \.options.defaultOriginator, .string(1...20),
        "The sender of batches without from."),
    ])

  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var seed = PlanSeed()
    try schema.merge(fields, into: &seed)
    let names = [("id", seed.id), ("projectId", seed.projectID), ("keyId", seed.keyID)]
    for case let (member, name?) in names {
      try sandbox.accounts.refuseTaken(name, of: SinchProvider.name, at: "\(fields.path).\(member)")
    }
    func secret(_ given: String, of name: String) throws -> String? {
      given == maskedSecret ? try PlanCredential.find(name, in: sandbox)?.credential.secret : given
    }
    // An export of another sandbox does not have its secrets.
    guard let token = try secret(seed.token, of: seed.id) else { return }
    var credentials = [PlanCredential.make(.plan, seed.id, secret: token, of: seed.id)]
    if let project = seed.projectID {
      credentials.append(PlanCredential.make(.project, project, of: seed.id))
    }
    if let key = seed.keyID, let secret = try secret(seed.keySecret ?? "", of: key) {
      credentials.append(PlanCredential.make(.key, key, secret: secret, of: seed.id))
    }
    for credential in credentials { _ = try sandbox.accounts.register(credential) }
    if seed.options.hmacSecret == maskedSecret {
      seed.options.hmacSecret = try PlanOptions.table.find(seed.id, in: sandbox)?.hmacSecret
    }
    try seed.options.save(for: seed.id, in: sandbox)
  }

  static func all(in sandbox: Sandbox) throws -> [PlanSeed] {
    let projects = try PlanCredential.all(.project, in: sandbox)
    let keys = try PlanCredential.all(.key, in: sandbox)
    return try Plan.all(in: sandbox).map { plan in
      var seed = PlanSeed()
      (seed.id, seed.token, seed.options) = (plan.id, maskedSecret, plan.options)
      seed.projectID = projects.first { $0.plan == plan.id }?.credential.name
      seed.keyID = keys.first { $0.plan == plan.id }?.credential.name
      if seed.keyID != nil { seed.keySecret = maskedSecret }
      if plan.options.hmacSecret != nil { seed.options.hmacSecret = maskedSecret }
      return seed
    }
  }

  /// Gives a sandbox a plan with a project, unless seeds have.
  static func createDefault(in sandbox: Sandbox) throws {
    guard try Plan.all(in: sandbox).isEmpty else { return }
    try generateUnique { ending in
      func digits(_ kind: String) -> String {
        sandbox.credentialName("Sinch \(kind) of \(sandbox.name)\(ending)", length: 32, of: .hex)
      }
      func secret(_ kind: String, of alphabet: Entropy.Alphabet) -> String {
        sandbox.entropy.secret("Sinch \(kind) of \(sandbox.name)", length: 32, of: alphabet)
      }
      let plan = digits("plan")
      return try sandbox.accounts.register(
        PlanCredential.make(.plan, plan, secret: secret("API token", of: .hex), of: plan),
        PlanCredential.make(.project, UUIDText.version4(digits("project")), of: plan),
        PlanCredential.make(
          .key, UUIDText.version4(digits("access key")), secret: secret("key secret", of: .alphanumeric),
          of: plan))
    }
  }

  /// Those of the first plan, by their names in the control API.
  static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    guard let plan = try Plan.all(in: sandbox).first else { return [] }
    var pairs = [(name: "servicePlanId", value: plan.id), (name: "apiToken", value: plan.token)]
    if let project = try PlanCredential.all(.project, in: sandbox).first(where: { $0.plan == plan.id }) {
      pairs.append((name: "projectId", value: project.credential.name))
    }
    if let key = try PlanCredential.all(.key, in: sandbox).first(where: { $0.plan == plan.id }) {
      pairs += [
        (name: "keyId", value: key.credential.name), (name: "keySecret", value: key.credential.secret),
      ]
    }
    return pairs
  }
}
