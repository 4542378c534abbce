extension Recipe {
  /// Browsers on Linux that keep lists of their own.
  static func browsers(_ files: TrustFiles) -> [Recipe] {
    [
      Recipe(
        "firefox", "Firefox on Linux, each profile; certutil is in libnss3-tools or nss-tools. Restart it.",
        trust: profiles(adding(files, to: "$profile")), undo: profiles(removing(from: "$profile"))),
      Recipe(
        "chrome", "Chrome and Chromium on Linux; certutil is in libnss3-tools or nss-tools. Restart it.",
        trust: [adding(files, to: userStore)], undo: [removing(from: userStore)]),
    ]
  }

  /// Phones that are only played, and real ones.
  static func devices(_ files: TrustFiles) -> [Recipe] {
    let authority = files.authority.shellQuoted
    let place = "/system/etc/security/cacerts/$(openssl x509 -noout -subject_hash_old -in \(authority)).0"
    return [
      Recipe(
        "android",
        """
        Android's emulator up to version 13, an image without Play Store started with -writable-system.
        Newer ones and phones: adb push the file to /sdcard/Download, install it in the settings under
        "CA certificate"; an app follows it if its network security configuration has <certificates src="user"/>.
        """,
        trust: ["adb root", "adb remount", "adb push \(authority) \"\(place)\"", "adb reboot"],
        undo: ["adb root", "adb remount", "adb shell rm \"\(place)\"", "adb reboot"]),
      Recipe(
        "ios",
        """
        The simulator that is running. It is undone together with all else in its keychain.
        iPhones and iPads: install what ringfence ca --format mobileconfig writes, then switch it on in the
        settings under General, About, Certificate Trust Settings.
        """,
        trust: ["xcrun simctl keychain booted add-root-cert \(authority)"],
        undo: ["xcrun simctl keychain booted reset"]),
    ]
  }

  private static let userStore = "$HOME/.pki/nssdb"

  private static func profiles(_ command: String) -> [String] {
    ["for profile in \"$HOME\"/.mozilla/firefox/*.default*; do \(command); done"]
  }

  private static func adding(_ files: TrustFiles, to store: String) -> String {
    "certutil -A -d \"sql:\(store)\" -n ringfence -t C,, -i \(files.authority.shellQuoted)"
  }

  private static func removing(from store: String) -> String {
    "certutil -D -d \"sql:\(store)\" -n ringfence"
  }
}
