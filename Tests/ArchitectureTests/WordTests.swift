import Testing

/// Words that are forbidden in some folders, with exceptions.
struct Ban: CustomTestStringConvertible, Sendable {
  let patterns: [String]
  let searched: [String]
  let allowed: [String]
  let why: String
  let example: String
  var includesComments = false

  var testDescription: String { why }

  /// Lines that match one of the patterns.
  func findings(in files: [TextFile]) -> [Finding] {
    files.filter { file in
      searched.contains { file.path.hasPrefix($0) } && !allowed.contains { file.path.hasPrefix($0) }
    }
    .flatMap { file in
      file.lineNumbers(matching: patterns.joined(separator: "|"), inComments: includesComments)
        .map { Finding(path: file.path, line: $0, why: why) }
    }
  }
}

/// The push gateways and an owner. Providers may name them, since their pushes go through them.
private let gateways = ["APNs", "FCM", "Firebase", "Google"]

/// What the core may not name. It may name APNs, since a push has a part for it.
private let unknownToCore = (providers + gateways).filter { $0 != "APNs" }

private let providers = Set(Project.providers).subtracting(gateways).sorted()

private let core = [
  "Sources/Basics/", "Sources/Numbers/", "Sources/Domain/", "Sources/Silent/", "Sources/Snapshots/",
  "Sources/HTTP/", "Sources/Loop/", "Sources/Server/", "Sources/JSON/", "Sources/Database/",
  "Sources/Crypto/", "Sources/Carrier/", "Sources/Control/", "Sources/Providers/Kit/",
]

private let owners = ["Sources/Loop/", "Sources/Crypto/", "Sources/Database/"]

private let bans: [Ban] = [
  Ban(
    patterns: [#"(?i)\b(\#(unknownToCore.joined(separator: "|")))\b(?!\.md)"#], searched: core,
    allowed: [],
    why: "the core is independent of providers: pass the difference as an argument",
    example: "// as Twilio does",
    includesComments: true),
  Ban(
    patterns: [
      #"\bDate\(\)"#, #"\bDate\.now"#, #"\b(Continuous|Suspending)Clock\b"#, #"\bDispatchTime\b"#,
      #"\b(uv_)?(clock_gettime|gettimeofday)\b"#, #"\buv_(now|hrtime)\b"#, #"\btime\(nil\)"#,
    ],
    searched: ["Sources/"], allowed: ["Sources/Basics/Time/", "Sources/Loop/"],
    why: "read the time from the sandbox's clock, or in Loop", example: "let now = Date()"),
  Ban(
    patterns: [
      #"\.random(Element)?\("#, #"\.shuffled?\("#, #"\bUUID\("#, #"\bSystemRandomNumberGenerator\b"#,
      #"\bRAND_(priv_)?bytes\b"#, #"\barc4random"#, #"\bget(random|entropy)\("#, #"\buv_random\b"#,
      #"\.hashValue\b"#,
    ],
    searched: ["Sources/"], allowed: ["Sources/Basics/Entropy.swift", "Sources/CStart/", "Sources/Loop/"],
    why: "random values come from the sandbox's entropy", example: "let id = UUID()"),
  // A load has a rate.
  Ban(
    patterns: [#"\b(u|nano)?sleep\("#], searched: ["Tests/"], allowed: ["Tests/Bench/"],
    why: "move the sandbox's clock or wait for an answer instead of sleeping", example: "usleep(10)"),
  Ban(
    patterns: [#"\btry!|\bfatalError\("#], searched: ["Sources/", "Tests/"], allowed: [],
    why: "throw, or use preconditionFailure for a bug", example: "let x = try! make()"),
  Ban(
    patterns: [#"\b(TO"# + #"DO|FIX"# + #"ME)\b(?!.*#\d)"#], searched: ["Sources/", "Tests/"], allowed: [],
    why: "a TO" + "DO needs an issue number", example: "// TO" + "DO: later",
    includesComments: true),
  Ban(
    patterns: [#"\bUnmanaged\b|@unchecked Sendable|\bnonisolated\(unsafe\)"#], searched: ["Sources/"],
    allowed: owners, why: "only Loop, Crypto and Database may bypass the compiler's checks",
    example: "final class A: @unchecked Sendable {}"),
  Ban(
    patterns: [#"\b(async|await|actor|Mutex|DispatchQueue)\b|\bTask\b *[{(.]"#],
    searched: [
      "Basics", "Numbers", "Domain", "Silent", "Snapshots", "JSON", "HTTP", "Crypto", "Providers", "Carrier",
      "Control",
    ].map { "Sources/\($0)/" },
    allowed: [], why: "code below Server is synchronous: return a PendingReply to wait",
    example: "Task { run() }"),
  Ban(
    patterns: [#"\bCommandLine\b"#], searched: ["Sources/"],
    allowed: ["Sources/Clients/", "Sources/Plugins/"],
    why: "ProgramArguments has the words under LD_PRELOAD, too", example: "CommandLine.arguments"),
  Ban(
    patterns: [#"\b(PublicKey|RSAPrivateKey)\(pem:"#], searched: ["Sources/Providers/"],
    // The second only looks if the text is a key.
    allowed: ["Sources/Providers/Kit/", "Sources/Providers/CAMARA/Clients/ClientKeys.swift"],
    why: "parsing takes longer than signing: take the sandbox's parsed key", example: "PublicKey(pem: text)"),
  Ban(
    patterns: ["&lt;"], searched: ["Sources/"],
    // The second is XML.
    allowed: ["Sources/Markup/", "Sources/Providers/Vonage/Legacy/LegacyAnswer.swift"],
    why: "Markup writes pages, and escapes", example: #"case "<": html += "&lt;""#, includesComments: true),
  Ban(
    patterns: [#"\b(debugP|p)rint\("#], searched: ["Sources/ringfence/"], allowed: [],
    why: "print with Output, which makes control characters visible", example: "print(answer)"),
  Ban(
    patterns: [#"^\s*(public|open) +(final|class|struct|enum|protocol|func|var|let|init|import)\b"#],
    searched: ["Sources/"], allowed: ["Sources/Clients/"],
    why: "the product is a binary: use package instead of public", example: "public struct A {}"),
]

@Suite("Architecture · words")
struct WordTests {
  @Test("forbidden words are not used", arguments: bans)
  func forbiddenWords(ban: Ban) {
    expectNone(ban.findings(in: Project.files))
  }

  @Test("a provider's folder does not mention other providers", arguments: Project.providers)
  func providersDoNotMeet(provider: String) {
    let others = providers.filter { $0 != provider }.joined(separator: "|")
    let ban = Ban(
      patterns: ["(?i)\\b(\(others))\\b"], searched: ["Sources/Providers/\(provider)/"],
      // What another company's client does differently with a common standard.
      allowed: ["Sources/Providers/\(provider)/Dialects/"],
      why: "do not mention other providers in a provider's folder", example: others, includesComments: true)

    expectNone(ban.findings(in: Project.files))
  }

  @Test("a ban matches code, and strings or comments only if it should", arguments: bans)
  func bansFind(ban: Ban) {
    let path = "\(ban.searched[0])Bad.swift"
    let bad = TextFile(path: path, text: "let a = 1\n\(ban.example)\n")
    let good = TextFile(path: path, text: "let a = \"\(ban.example)\"\n")

    #expect(ban.findings(in: [bad]).map(\.line) == [2])
    #expect(ban.findings(in: [good]).isEmpty != ban.includesComments)
  }
}
