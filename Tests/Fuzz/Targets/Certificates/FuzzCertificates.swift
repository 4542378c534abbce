import Crypto

/// A file in `SSL_CERT_FILE`. Accepted certificates survive writing and reading, and make a trust store. A
/// rejected file adds nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCertificates(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bundle = CertificateBundle()
  do {
    try bundle.add(pem: Array(UnsafeRawBufferPointer(start: data, count: size)))
  } catch {
    precondition(bundle.count == 0 && !error.description.isEmpty, "a rejected file adds nothing")
    return 0
  }
  let again = CertificateBundle()
  guard (try? again.add(pem: Array(bundle.pem.utf8))) != nil else { preconditionFailure("it is read again") }
  precondition(again.pem == bundle.pem, "it is read again as the same")
  precondition(!bundle.trustStore(password: "changeit").isEmpty, "it makes a trust store")
  return 0
}
