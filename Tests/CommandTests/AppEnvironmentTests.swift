import Domain
import Testing

@testable import ringfence

/// The environment of an app that uses the default sandbox, with proxy and trust.
private func environment(proxy sandbox: String? = nil) throws -> AppEnvironment {
  var environment = try AppEnvironment(
    of: SeedFiles.freshSandboxes().defaultSandbox,
    at: .init(url: "http://127.0.0.1:7", https: "https://127.0.0.1:8", gateway: "http://127.0.0.1:9"),
    filesIn: "/made")
  environment.useProxy(.init(host: "127.0.0.1", port: 7, sandbox: sandbox))
  environment.leadNode(toHTTP: 7, https: 8)
  environment.trust(TrustFiles(folder: "/made", systemRoots: "/etc/roots.pem"))
  return environment
}

extension AppEnvironment {
  fileprivate subscript(name: String) -> String? { entries.first { $0.name == name }?.value }

  fileprivate func difference(to present: [String: String], overwriting: Bool = false) -> Difference {
    difference(to: present, overwriting: overwriting) { path in
      path.hasSuffix(".pem") ? "text of \(path)" : nil
    }
  }
}

@Suite("Command · AppEnvironment")
struct AppEnvironmentTests {
  @Test("it has the sandbox's addresses and the credentials of each provider")
  func sandbox() throws {
    let environment = try environment()

    #expect(environment["RINGFENCE_URL"] == "http://127.0.0.1:7")
    #expect(environment["RINGFENCE_HTTPS_URL"] == "https://127.0.0.1:8")
    #expect(environment["RINGFENCE_GATEWAY_URL"] == "http://127.0.0.1:9")
    #expect(environment["TWILIO_ACCOUNT_SID"] == "AC00000000000000000000000000000001")
    #expect(environment["PRELUDE_BASE_URL"] == "http://127.0.0.1:7")
  }

  @Test("no variable has two values")
  func once() throws {
    let names = try environment().entries.map(\.name)

    #expect(Set(names).count == names.count)
  }

  @Test("the sandbox is the proxy, except for requests to this machine")
  func proxy() throws {
    let environment = try environment()

    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"] {
      #expect(environment[name] == "http://127.0.0.1:7")
    }
    #expect(environment["NO_PROXY"] == "localhost,127.0.0.1,::1,all://localhost/ [::1]")
    #expect(
      environment["JAVA_TOOL_OPTIONS"]?.contains("-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=7") == true)
  }

  @Test("the name of a sandbox is the user name of the proxy")
  func proxyOfSandbox() throws {
    #expect(try environment(proxy: "ci-17")["HTTPS_PROXY"] == "http://ci-17:ringfence@127.0.0.1:7")
  }

  @Test("46 F5: Node loads a module that has the providers' hosts, and the names of patterns")
  func preload() throws {
    let environment = try environment()
    let text = environment.files.first { $0.path == "/made/preload.cjs" }?.text

    #expect(environment["NODE_OPTIONS"] == "--require=/made/preload.cjs")
    #expect(text?.hasPrefix("const [hosts, http, https] = [/^(?:") == true)
    #expect(text?.contains(#"|verify\.twilio\.com|"#) == true && text?.contains("/i, 7, 8];\n") == true)
  }

  @Test("each client gets the trusted certificates in its format")
  func trust() throws {
    let environment = try environment()

    #expect(environment["SSL_CERT_FILE"] == "/made/bundle.pem")
    #expect(environment["TWILIO_CA_BUNDLE"] == "/made/bundle.pem")
    #expect(environment["NODE_EXTRA_CA_CERTS"] == "/made/authority.pem")
    #expect(environment["JAVA_TOOL_OPTIONS"]?.contains("-Djavax.net.ssl.trustStore=/made/trust.p12") == true)
    #expect(environment["PHP_INI_SCAN_DIR"] == ":/made/php")
    #expect(
      environment.files.contains { $0.path == "/made/php/trust.ini" && $0.text.contains("/made/bundle.pem") })
  }
}

@Suite("Command · AppEnvironment merged with existing variables")
struct EnvironmentMergeTests {
  @Test("an empty environment gets every variable, without a note")
  func empty() throws {
    let environment = try environment()
    let difference = environment.difference(to: ["PATH": "/bin", "TWILIO_AUTH_TOKEN": ""])

    #expect(difference.variables.map(\.name) == environment.entries.map(\.name))
    #expect(difference.notes.isEmpty)
  }

  @Test("variables of Ringfence are always replaced")
  func ours() throws {
    let difference = try environment().difference(to: ["RINGFENCE_URL": "http://elsewhere"])

    #expect(difference["RINGFENCE_URL"] == "http://127.0.0.1:7")
    #expect(difference.notes.isEmpty)
  }

  @Test(
    "a proxy variable in either case is kept, with its consequence",
    arguments: ["HTTPS_PROXY", "https_proxy"])
  func proxyIsKept(name: String) throws {
    let difference = try environment().difference(to: [name: "http://proxy.corp:3128"])

    #expect(difference["HTTPS_PROXY"] == nil && difference["https_proxy"] == nil)
    #expect(difference["HTTP_PROXY"] == "http://127.0.0.1:7")
    #expect(difference.notes.count == 1)
    #expect(
      difference.notes[0].hasPrefix(
        "kept your \(name): requests to the providers bypass the sandbox"))
    #expect(!difference.notes[0].contains("proxy.corp"))
  }

  @Test("--overwrite replaces everything")
  func overwritten() throws {
    let environment = try environment()
    let present = Dictionary(uniqueKeysWithValues: environment.entries.map { ($0.name, "mine") })

    let difference = environment.difference(to: present, overwriting: true)

    for entry in environment.entries where !entry.purpose.isShared {
      #expect(difference[entry.name] == entry.value)
    }
    #expect(difference["JAVA_TOOL_OPTIONS"]?.hasPrefix("mine ") == true)
    #expect(difference.notes.isEmpty)
  }

  @Test("NO_PROXY is extended, with a note if it contains a provider's host")
  func direct() throws {
    let harmless = try environment().difference(to: ["NO_PROXY": "db.internal, .corp"])
    #expect(harmless["NO_PROXY"] == "db.internal, .corp,localhost,127.0.0.1,::1,all://localhost/ [::1]")
    #expect(harmless.notes.isEmpty)

    for list in ["*", "*.twilio.com", ".twilio.com", "twilio.com", "x,verify.twilio.com"] {
      let notes = try environment().difference(to: ["no_proxy": list]).notes
      #expect(notes.count == 1 && notes[0].contains("verify.twilio.com"), "\(list)")
    }
    #expect(try environment().difference(to: ["no_proxy": "otwilio.com,io.com"]).notes.isEmpty)
  }

  @Test("Java options are extended, and the user's win")
  func java() throws {
    let difference = try environment().difference(to: ["JAVA_TOOL_OPTIONS": "-Xmx64m"])

    #expect(difference["JAVA_TOOL_OPTIONS"]?.hasSuffix("changeit -Xmx64m") == true)
  }

  @Test("46 F5: Node's options are extended")
  func node() throws {
    let difference = try environment().difference(to: ["NODE_OPTIONS": "--max-old-space-size=64"])

    #expect(difference["NODE_OPTIONS"] == "--require=/made/preload.cjs --max-old-space-size=64")
  }

  @Test("46 F5: the user's own credentials are known, those of the sandbox are not the user's")
  func ownAccounts() throws {
    let environment = try environment()
    let present = [
      "TWILIO_ACCOUNT_SID": "mine", "TWILIO_AUTH_TOKEN": "mine", "API_TOKEN": environment["API_TOKEN"] ?? "",
    ]

    #expect(
      environment.difference(to: present).ownAccounts.map { "\($0.provider) \($0.variable)" } == [
        "twilio TWILIO_ACCOUNT_SID"
      ])
  }

  @Test("the user's certificates stay trusted")
  func trust() throws {
    let difference = try environment().difference(to: ["REQUESTS_CA_BUNDLE": "/own/corp.pem"])

    #expect(difference["REQUESTS_CA_BUNDLE"] == "/made/REQUESTS_CA_BUNDLE.pem")
    #expect(
      difference.files.first { $0.path == "/made/REQUESTS_CA_BUNDLE.pem" }?.text
        == "text of /own/corp.pem\ntext of /made/authority.pem")
    #expect(difference.notes.isEmpty)
  }

  @Test("the file from which the bundle was made is not added again")
  func systemRoots() throws {
    for name in ["CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"] {
      #expect(try environment().difference(to: [name: "/etc/roots.pem"])[name] == "/made/bundle.pem")
    }
  }

  @Test("a value that cannot be extended is kept")
  func folderOfAuthorities() throws {
    let difference = try environment().difference(to: ["REQUESTS_CA_BUNDLE": "/etc/ssl/certs"])

    #expect(difference["REQUESTS_CA_BUNDLE"] == nil)
    #expect(difference.notes.count == 1)
  }

  @Test("the variables of the providers' examples are set, and a value of the user is kept without a note")
  func examples() throws {
    let environment = try environment()
    #expect(environment["CUSTOMER_ID"] == environment["TELESIGN_CUSTOMER_ID"])
    #expect(environment["API_KEY"] == environment["TELESIGN_API_KEY"])
    #expect(environment["PHONE_NUMBER"] == "12025550100")

    let difference = environment.difference(to: ["API_KEY": "mine"])
    #expect(difference["API_KEY"] == nil && difference.notes.isEmpty)
  }

  @Test("a mix of the user's and the sandbox's credentials is reported")
  func accounts() throws {
    let whole = ["TELESIGN_CUSTOMER_ID": "mine", "TELESIGN_API_KEY": "mine"]
    #expect(try environment().difference(to: whole).notes[0].contains("accepts unknown accounts"))

    let half = try environment().difference(to: ["TELESIGN_CUSTOMER_ID": "mine"]).notes
    #expect(half.count == 1 && half[0].contains("does not match the sandbox's TELESIGN_API_KEY"))
  }
}
