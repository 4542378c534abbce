internal import COpenSSL

/// The hash of FIPS 180-4.
package enum SHA256 {
  /// 32 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
      let code = EVP_Digest(message, message.count, bytes.baseAddress, nil, EVP_sha256(), nil)
      precondition(code == 1, "SHA-256 failed")
      count = 32
    }
  }
}
