extension Recipe {
  /// Languages and tools: what is started from this shell trusts the sandbox, and nothing else does.
  static func languages(_ files: TrustFiles) -> [Recipe] {
    let linux = "On macOS and Windows it asks the system."
    return [
      setting("curl", "curl.", [("CURL_CA_BUNDLE", files.bundle)]),
      setting(
        "python", "Python: requests, urllib, httpx, aiohttp.",
        [("REQUESTS_CA_BUNDLE", files.bundle), ("SSL_CERT_FILE", files.bundle)]),
      setting(
        "node", "Node, which adds the file to the authorities of its own.",
        [("NODE_EXTRA_CA_CERTS", files.authority)]),
      setting(
        "java",
        "Java 8u301 and later, every program that is started; a JDK once and for all, with keytool: --trust jdk.",
        [("JAVA_TOOL_OPTIONS", files.javaOptions.joined(separator: " "))]),
      Recipe(
        "jdk",
        "Java, the machine's own store of the JDK that keytool belongs to; sudo where it is the system's.",
        trust: [
          "keytool -importcert -noprompt -cacerts -storepass changeit -alias ringfence"
            + " -file \(files.authority.shellQuoted)"
        ],
        undo: ["keytool -delete -cacerts -storepass changeit -alias ringfence"]),
      setting(
        "ruby", "Ruby: Net::HTTP, Faraday and whatever else stands on OpenSSL.",
        [("SSL_CERT_FILE", files.bundle)]),
      setting("go", "Go on Linux. \(linux)", [("SSL_CERT_FILE", files.bundle)]),
      php(files),
      setting("dotnet", ".NET on Linux. \(linux)", [("SSL_CERT_FILE", files.bundle)]),
    ]
  }

  /// PHP knows no variable for this, but one for folders with settings; an empty one stands for its own.
  private static func php(_ files: TrustFiles) -> Recipe {
    let settings = "\(files.folder)/ringfence.ini".shellQuoted
    let place = "PHP_INI_SCAN_DIR"
    return Recipe(
      "php", "PHP, cURL and streams.",
      trust: [
        "printf 'curl.cainfo=\"%s\"\\nopenssl.cafile=\"%s\"\\n' \(files.bundle.shellQuoted) \(files.bundle.shellQuoted)"
          + " > \(settings)",
        "export \(place)=\(":\(files.folder)".shellQuoted)",
      ],
      undo: ["unset \(place)", "rm \(settings)"])
  }

  private static func setting(_ name: String, _ about: String, _ variables: [(name: String, value: String)])
    -> Recipe
  {
    Recipe(
      name, about, trust: variables.map { "export \($0.name)=\($0.value.shellQuoted)" },
      undo: variables.map { "unset \($0.name)" })
  }
}
