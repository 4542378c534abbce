internal import COpenSSL

/// A private RSA key that signs with PSS.
package final class RSAPrivateKey {
  package static let minimumBits: Int32 = 2048
  /// A signature with 8,192 bits takes 40 ms.
  private static let maximumBits: Int32 = 4096
  /// Five times a key of that many bits. The numbers in a longer text could take minutes.
  private static let maximumSize = 16 << 10

  private let native: OpaquePointer

  /// A new key. It takes about a tenth of a second.
  package init() {
    guard let key = cossl_make_rsa(Int(Self.minimumBits)) else { preconditionFailure("cannot make a key") }
    native = key
  }

  /// Reads an unencrypted PEM key. Returns nil for other text, other kinds of key, and too few or too many
  /// bits.
  package init?(pem: String) {
    guard pem.utf8.count <= Self.maximumSize, let key = PEM.read(pem, cossl_read_private_rsa_key) else {
      return nil
    }
    guard Self.minimumBits...Self.maximumBits ~= EVP_PKEY_get_bits(key) else {
      EVP_PKEY_free(key)
      return nil
    }
    native = key
  }

  deinit { EVP_PKEY_free(native) }

  /// PKCS #8 in PEM.
  package var privatePEM: String {
    PEM.write { PEM_write_bio_PKCS8PrivateKey($0, native, nil, nil, 0, nil, nil) }
  }

  /// SubjectPublicKeyInfo in PEM.
  package var publicPEM: String {
    PEM.write { PEM_write_bio_PUBKEY($0, native) }
  }

  /// RSASSA-PSS with SHA-256, MGF1 with SHA-256 and 32 bytes of salt (RFC 8017, 8.1). Nil if the numbers of
  /// the key do not belong together.
  package func pssSignature(of message: [UInt8]) -> [UInt8]? {
    let digest = PSSDigest()
    guard digest.start(EVP_DigestSignInit, with: native) else { return nil }
    return DigestSignature.sign(message, digest.native)
  }

  /// RSASSA-PKCS1-v1_5 with SHA-256. Tokens call it `RS256` (RFC 7518, 3.3). Nil as above.
  package func pkcs1Signature(of message: [UInt8]) -> [UInt8]? {
    DigestSignature.sign(message, with: native)
  }
}

package final class RSAPublicKey {
  private let native: OpaquePointer

  /// Reads SubjectPublicKeyInfo in PEM. Returns nil for other text and other kinds of key.
  package init?(pem: String) {
    guard let key = PEM.read(pem, cossl_read_public_key) else { return nil }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
      EVP_PKEY_free(key)
      return nil
    }
    native = key
  }

  /// The key with these numbers, big-endian. Returns nil if the modulus has fewer bits than
  /// `RSAPrivateKey.minimumBits`, or one of them more bytes than real keys have.
  package init?(modulus: [UInt8], exponent: [UInt8]) {
    guard (1...1024).contains(modulus.count), (1...8).contains(exponent.count) else { return nil }
    let numbers = DER.sequence(DER.integer(modulus) + DER.integer(exponent))
    let encoded = DER.sequence(Self.algorithm + DER.element(0x03, [0] + numbers))
    defer { ERR_clear_error() }
    let key = encoded.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_PUBKEY(nil, &start, bytes.count)
    }
    guard let key else { return nil }
    guard EVP_PKEY_get_bits(key) >= RSAPrivateKey.minimumBits else {
      EVP_PKEY_free(key)
      return nil
    }
    native = key
  }

  deinit { EVP_PKEY_free(native) }

  /// Big-endian.
  package var modulus: [UInt8] { number("n") }
  /// Big-endian.
  package var exponent: [UInt8] { number("e") }

  private func number(_ name: String) -> [UInt8] {
    var number: OpaquePointer?
    defer { BN_free(number) }
    precondition(EVP_PKEY_get_bn_param(native, name, &number) == 1, "an RSA key has its numbers")
    var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
    _ = BN_bn2bin(number, &bytes)
    return bytes
  }

  /// rsaEncryption without parameters.
  private static let algorithm: [UInt8] = [
    0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
  ]

  /// True for a signature by `RSAPrivateKey.pssSignature`.
  package func accepts(pssSignature signature: [UInt8], of message: [UInt8]) -> Bool {
    let digest = PSSDigest()
    guard digest.start(EVP_DigestVerifyInit, with: native) else { return false }
    defer { ERR_clear_error() }
    return EVP_DigestVerify(digest.native, signature, signature.count, message, message.count) == 1
  }

  /// True for an RSASSA-PKCS1-v1_5 signature with SHA-256. Tokens call it `RS256` (RFC 7518, 3.3).
  package func accepts(pkcs1Signature signature: [UInt8], of message: [UInt8]) -> Bool {
    DigestSignature.verify(signature, of: message, with: native)
  }
}

/// A signature over the SHA-256 of a message, as OpenSSL makes it by default: PKCS #1 for RSA, DER for ECDSA.
enum DigestSignature {
  static func sign(_ message: [UInt8], with key: OpaquePointer) -> [UInt8]? {
    let digest = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(digest) }
    guard EVP_DigestSignInit(digest, nil, EVP_sha256(), nil, key) == 1 else { return nil }
    return sign(message, digest)
  }

  /// True for a signature of the SHA-256 of a message.
  static func verify(_ signature: [UInt8], of message: [UInt8], with key: OpaquePointer) -> Bool {
    let digest = EVP_MD_CTX_new()
    defer {
      EVP_MD_CTX_free(digest)
      ERR_clear_error()
    }
    guard EVP_DigestVerifyInit(digest, nil, EVP_sha256(), nil, key) == 1 else { return false }
    return EVP_DigestVerify(digest, signature, signature.count, message, message.count) == 1
  }

  /// Nil if OpenSSL refuses, as with a key of PEM whose numbers do not belong together.
  fileprivate static func sign(_ message: [UInt8], _ started: OpaquePointer?) -> [UInt8]? {
    defer { ERR_clear_error() }
    var count = 0
    guard EVP_DigestSign(started, nil, &count, message, message.count) == 1 else { return nil }
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(started, &signature, &count, message, message.count) == 1 else { return nil }
    return Array(signature.prefix(count))
  }
}

/// Distinguished Encoding Rules (X.690), as much as a key needs.
private enum DER {
  static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

  /// A positive number, big-endian.
  static func integer(_ number: [UInt8]) -> [UInt8] {
    let digits = number.drop { $0 == 0 }
    return element(0x02, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : Array(digits))
  }

  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    guard count >= 0x80 else { return [tag, UInt8(count)] + content }
    return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
  }
}

/// OpenSSL's state for one PSS signature.
private final class PSSDigest {
  /// The type of `EVP_DigestSignInit` and `EVP_DigestVerifyInit`.
  typealias Start = (
    OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, OpaquePointer?, OpaquePointer?, OpaquePointer?
  ) -> Int32

  let native = EVP_MD_CTX_new()

  deinit { EVP_MD_CTX_free(native) }

  /// Sets the key and the parameters of `RSAPrivateKey.pssSignature`. Returns false on failure.
  func start(_ initialize: Start, with key: OpaquePointer) -> Bool {
    var context: OpaquePointer?
    return initialize(native, &context, EVP_sha256(), nil, key) == 1
      && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
      && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
      && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, 32) == 1
  }
}

/// PEM text of keys and certificates.
enum PEM {
  /// Calls one of OpenSSL's PEM readers.
  static func read(_ text: String, _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
    var text = text
    defer { ERR_clear_error() }
    return text.withUTF8 { bytes in
      guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { BIO_free(source) }
      return read(source)
    }
  }

  /// As OpenSSL writes it: 64 characters in a line.
  static func text(_ label: String, _ der: [UInt8]) -> String {
    let base64 = Array(Base64.encode(der).utf8)
    let lines = stride(from: 0, to: base64.count, by: 64).map { start in
      String(decoding: base64[start..<min(start + 64, base64.count)], as: UTF8.self)
    }
    return "-----BEGIN \(label)-----\n\(lines.joined(separator: "\n"))\n-----END \(label)-----\n"
  }

  /// Calls one of OpenSSL's PEM writers.
  static func write(_ write: (OpaquePointer) -> Int32) -> String {
    String(decoding: Buffer.bytes(write), as: UTF8.self)
  }
}

/// A memory buffer for OpenSSL's writers.
enum Buffer {
  /// Returns the bytes that `write` writes; none unless it returns 1.
  static func bytes(_ write: (OpaquePointer) -> Int32) -> [UInt8] {
    guard let target = BIO_new(BIO_s_mem()) else { preconditionFailure("cannot create a buffer") }
    defer { BIO_free(target) }
    guard write(target) == 1 else { return [] }
    var start: UnsafeMutablePointer<CChar>?
    let count = cossl_pending(target, &start)
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
