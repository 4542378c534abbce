extension Recipe {
  /// Whole systems: from then on, whatever asks the system trusts the sandbox.
  static func systems(_ files: TrustFiles) -> [Recipe] {
    let authority = files.authority.shellQuoted
    let local = "/usr/local/share/ca-certificates/ringfence.crt"
    let anchor = "/etc/pki/ca-trust/source/anchors/ringfence.pem"
    let keychain = "/Library/Keychains/System.keychain"
    return [
      Recipe(
        "debian", "Debian, Ubuntu and their kin, for every program that asks the system.",
        trust: ["sudo cp \(authority) \(local)", "sudo update-ca-certificates"],
        undo: ["sudo rm \(local)", "sudo update-ca-certificates --fresh"]),
      Recipe(
        "fedora", "Fedora, RHEL and their kin, for every program that asks the system.",
        trust: ["sudo cp \(authority) \(anchor)", "sudo update-ca-trust extract"],
        undo: ["sudo rm \(anchor)", "sudo update-ca-trust extract"]),
      Recipe(
        "arch", "Arch and whatever has p11-kit, for every program that asks the system.",
        trust: ["sudo trust anchor --store \(authority)"], undo: ["sudo trust anchor --remove \(authority)"]),
      Recipe(
        "alpine", "Alpine, as root, with the package ca-certificates.",
        trust: ["cp \(authority) \(local)", "update-ca-certificates"],
        undo: ["rm \(local)", "update-ca-certificates --fresh"]),
      Recipe(
        "macos", "macOS, for Safari, Chrome and every program that asks the keychain.",
        trust: ["sudo security add-trusted-cert -d -r trustRoot -k \(keychain) \(authority)"],
        undo: ["sudo security delete-certificate -t -c '\(commonName)' \(keychain)"]),
      Recipe(
        "windows", "Windows from WSL, for Edge, Chrome and .NET. Elsewhere: the file's copy instead of $(…).",
        trust: ["certutil.exe -user -addstore Root \"$(wslpath -w \(authority))\""],
        undo: ["certutil.exe -user -delstore Root '\(commonName)'"]),
      Recipe(
        "docker", "A running container of Debian's or Alpine's kin: name it in CONTAINER first.",
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

  /// As the certificate names itself.
  private static let commonName = "Ringfence sandbox authority"
}
