import ProviderKit

/// Shell commands that make a system or a language trust the authority, and those that undo it.
struct TrustRecipe {
  /// The argument of `ringfence ca --trust`.
  let name: String
  /// Comment lines: what it applies to, and what it needs.
  let about: [String]
  let trust: [String]
  let undo: [String]

  init(_ name: String, _ about: String, trust: [String], undo: [String]) {
    self.name = name
    self.about = about.split(separator: "\n").map(String.init)
    self.trust = trust
    self.undo = undo
  }

  /// A script that trusts the authority, with the undo commands as comments.
  var script: String {
    (about.map { "# \($0)" } + trust + undo.map { "# undo: \($0)" }).joined(separator: "\n")
  }

  static func all(for files: TrustFiles) -> [TrustRecipe] {
    systems(files) + browsers(files) + devices(files) + languages(files)
  }
}

extension TrustRecipe {
  /// For every program that uses the system's trust store.
  private static func systems(_ files: TrustFiles) -> [TrustRecipe] {
    let authority = files.authority.shellQuoted
    let local = "/usr/local/share/ca-certificates/ringfence.crt"
    let anchor = "/etc/pki/ca-trust/source/anchors/ringfence.pem"
    let keychain = "/Library/Keychains/System.keychain"
    let commonName = "Ringfence sandbox authority"
    return [
      TrustRecipe(
        "debian", "Debian, Ubuntu and derivatives: programs that use the system's trust store.",
        trust: ["sudo cp \(authority) \(local)", "sudo update-ca-certificates"],
        undo: ["sudo rm \(local)", "sudo update-ca-certificates --fresh"]),
      TrustRecipe(
        "fedora", "Fedora, RHEL and derivatives: programs that use the system's trust store.",
        trust: ["sudo cp \(authority) \(anchor)", "sudo update-ca-trust extract"],
        undo: ["sudo rm \(anchor)", "sudo update-ca-trust extract"]),
      TrustRecipe(
        "arch", "Arch and other systems with p11-kit: programs that use the system's trust store.",
        trust: ["sudo trust anchor --store \(authority)"], undo: ["sudo trust anchor --remove \(authority)"]),
      TrustRecipe(
        "alpine", "Alpine, as root, with the package ca-certificates.",
        trust: ["cp \(authority) \(local)", "update-ca-certificates"],
        undo: ["rm \(local)", "update-ca-certificates --fresh"]),
      TrustRecipe(
        "macos", "macOS: Safari, Chrome and programs that use the keychain.",
        trust: ["sudo security add-trusted-cert -d -r trustRoot -k \(keychain) \(authority)"],
        undo: ["sudo security delete-certificate -t -c '\(commonName)' \(keychain)"]),
      TrustRecipe(
        "windows",
        "Windows, from WSL: Edge, Chrome and .NET. Without WSL, copy the file and use its path instead of $(…).",
        trust: ["certutil.exe -user -addstore Root \"$(wslpath -w \(authority))\""],
        undo: ["certutil.exe -user -delstore Root '\(commonName)'"]),
      TrustRecipe(
        "docker", "A running container based on Debian or Alpine. Set CONTAINER to its name first.",
        trust: [
          "docker cp \(authority) \"$CONTAINER\":\(local)",
          "docker exec -u root \"$CONTAINER\" update-ca-certificates",
        ],
        undo: [
          "docker exec -u root \"$CONTAINER\" rm \(local)",
          "docker exec -u root \"$CONTAINER\" update-ca-certificates --fresh",
        ]),
    ]
  }

  /// Browsers on Linux have their own trust stores.
  private static func browsers(_ files: TrustFiles) -> [TrustRecipe] {
    let chrome = "$HOME/.pki/nssdb"
    func add(to store: String) -> String {
      "certutil -A -d \"sql:\(store)\" -n ringfence -t C,, -i \(files.authority.shellQuoted)"
    }
    func remove(from store: String) -> String { "certutil -D -d \"sql:\(store)\" -n ringfence" }
    func inEachProfile(_ command: String) -> [String] {
      ["for profile in \"$HOME\"/.mozilla/firefox/*.default*; do \(command); done"]
    }
    return [
      TrustRecipe(
        "firefox",
        "Firefox on Linux, all profiles. Needs certutil (libnss3-tools or nss-tools). Restart Firefox afterwards.",
        trust: inEachProfile(add(to: "$profile")), undo: inEachProfile(remove(from: "$profile"))),
      TrustRecipe(
        "chrome",
        "Chrome and Chromium on Linux. Needs certutil (libnss3-tools or nss-tools). Restart the browser afterwards.",
        trust: [add(to: chrome)], undo: [remove(from: chrome)]),
    ]
  }

  /// Emulators and simulators. The comments explain real phones.
  private static func devices(_ files: TrustFiles) -> [TrustRecipe] {
    let authority = files.authority.shellQuoted
    let path = "/system/etc/security/cacerts/$(openssl x509 -noout -subject_hash_old -in \(authority)).0"
    return [
      TrustRecipe(
        "android",
        """
        Android emulator up to version 13: an image without Play Store, started with -writable-system.
        Newer versions and phones: adb push the file to /sdcard/Download and install it in the settings under
        "CA certificate". The app's network security configuration needs <certificates src="user"/>.
        """,
        trust: ["adb root", "adb remount", "adb push \(authority) \"\(path)\"", "adb reboot"],
        undo: ["adb root", "adb remount", "adb shell rm \"\(path)\"", "adb reboot"]),
      TrustRecipe(
        "ios",
        """
        The running simulator. The undo command resets its whole keychain.
        iPhones and iPads: install the output of ringfence ca --format mobileconfig, then enable it in the
        settings under General, About, Certificate Trust Settings.
        """,
        trust: ["xcrun simctl keychain booted add-root-cert \(authority)"],
        undo: ["xcrun simctl keychain booted reset"]),
    ]
  }

  /// Languages and tools: only programs started from this shell will trust the sandbox.
  private static func languages(_ files: TrustFiles) -> [TrustRecipe] {
    let elsewhere = "On macOS and Windows it uses the system's trust store."
    return [
      variables("curl", "curl.", [("CURL_CA_BUNDLE", files.bundle)]),
      variables(
        "python", "Python: requests, urllib, httpx, aiohttp.",
        [("REQUESTS_CA_BUNDLE", files.bundle), ("SSL_CERT_FILE", files.bundle)]),
      variables(
        "node", "Node, which adds the file to its built-in authorities.",
        [("NODE_EXTRA_CA_CERTS", files.authority)]),
      variables(
        "java", "Java 8u301 and later. To add it to a JDK permanently, with keytool: --trust jdk.",
        [("JAVA_TOOL_OPTIONS", files.javaOptions.joined(separator: " "))]),
      TrustRecipe(
        "jdk", "The trust store of the JDK that keytool belongs to. Use sudo for a system JDK.",
        trust: [
          "keytool -importcert -noprompt -cacerts -storepass changeit -alias ringfence"
            + " -file \(files.authority.shellQuoted)"
        ],
        undo: ["keytool -delete -cacerts -storepass changeit -alias ringfence"]),
      variables(
        "ruby", "Ruby: Net::HTTP, Faraday and other clients using OpenSSL.", [("SSL_CERT_FILE", files.bundle)]
      ),
      variables("go", "Go on Linux. \(elsewhere)", [("SSL_CERT_FILE", files.bundle)]),
      php(files),
      variables("dotnet", ".NET on Linux. \(elsewhere)", [("SSL_CERT_FILE", files.bundle)]),
    ]
  }

  /// PHP has no variable for a certificate file, but one for folders of settings. The empty entry keeps its
  /// default.
  private static func php(_ files: TrustFiles) -> TrustRecipe {
    let settings = "\(files.folder)/ringfence.ini".shellQuoted
    let variable = "PHP_INI_SCAN_DIR"
    return TrustRecipe(
      "php", "PHP: cURL and streams.",
      trust: [
        "printf 'curl.cainfo=\"%s\"\\nopenssl.cafile=\"%s\"\\n' \(files.bundle.shellQuoted) \(files.bundle.shellQuoted)"
          + " > \(settings)",
        "export \(variable)=\(":\(files.folder)".shellQuoted)",
      ],
      undo: ["unset \(variable)", "rm \(settings)"])
  }

  private static func variables(
    _ name: String, _ about: String, _ variables: [(name: String, value: String)]
  ) -> TrustRecipe {
    TrustRecipe(
      name, about, trust: variables.map { "export \($0.name)=\($0.value.shellQuoted)" },
      undo: variables.map { "unset \($0.name)" })
  }
}
