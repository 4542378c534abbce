import Crypto
import JSON

/// A configuration profile, by which Apple's systems take the authority: open the file, then allow it in the settings.
/// Source: developer.apple.com/documentation/devicemanagement/certificateroot, read 2026-11-21.
struct ConfigurationProfile {
  /// The property list.
  let text: String

  /// The profile for an authority. Installed again it takes the place of the earlier one, also of that of another
  /// authority of ours: it is known by its identifiers.
  init(_ authority: CertificateAuthority) {
    let fingerprint = authority.fingerprint
    let name = "Ringfence sandbox authority"
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>PayloadType</key><string>Configuration</string>
        <key>PayloadVersion</key><integer>1</integer>
        <key>PayloadIdentifier</key><string>\(Self.identifier)</string>
        <key>PayloadUUID</key><string>\(Self.uuid(fingerprint.prefix(16)))</string>
        <key>PayloadDisplayName</key><string>\(name)</string>
        <key>PayloadDescription</key>
        <string>Trusts a sandbox for phone verification. It can vouch for the vendors’ host names only.</string>
        <key>PayloadContent</key>
        <array>
          <dict>
            <key>PayloadType</key><string>com.apple.security.root</string>
            <key>PayloadVersion</key><integer>1</integer>
            <key>PayloadIdentifier</key><string>\(Self.identifier).certificate</string>
            <key>PayloadUUID</key><string>\(Self.uuid(fingerprint.suffix(16)))</string>
            <key>PayloadDisplayName</key><string>\(name)</string>
            <key>PayloadCertificateFileName</key><string>ringfence.cer</string>
            <key>PayloadContent</key>
            <data>\(Base64.encode(authority.rootDER))</data>
          </dict>
        </array>
      </dict>
      </plist>

      """
  }

  private static let identifier = "ringfence.authority"

  /// A UUID of these 16 bytes, of the version that leaves their meaning to its maker (RFC 9562, 5.8).
  private static func uuid(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = Array(bytes)
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
    return groups.map { Hex.encode(bytes[$0], uppercase: true) }.joined(separator: "-")
  }
}
