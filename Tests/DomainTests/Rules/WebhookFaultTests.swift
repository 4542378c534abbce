import Domain
import JSON
import Testing

@Suite("Domain · webhook faults")
struct WebhookFaultTests {
  private func fault(_ document: String) throws -> WebhookFault {
    var fault = WebhookFault()
    try WebhookFault.schema.merge(Fields(document), into: &fault)
    return fault
  }

  private func request(_ signature: String) -> WebhookRequest {
    .json([1], .init("X-Signature", signature), .init("X-Other", signature))
  }

  @Test("a fault is written as it was parsed")
  func form() throws {
    let document =
      #"{"provider":"acme","kind":"thing.created","number":"+12025550100","nth":2,"times":3,"delivery":"duplicate","#
      + #""delayMs":5,"signature":"missing","timestampAgeMs":7,"contentType":"text/html"}"#

    #expect(try String(decoding: WebhookFault.schema.encode(fault(document)), as: UTF8.self) == document)
  }

  @Test(
    "one character of a wrong signature is another, so that its form is right",
    arguments: [
      ("bk81nrHDbZ6lMf/aOux08fF3fM6v3qzxSoMENR2pM+k=", "bk81nrHDbZ6lMf/aOux08fF3fM6v3qzxSoMEAR2pM+k="),
      ("TSA 1:0123456789ABCDEFGHIJ", "TSA 1:0123456789ABADEFGHIJ"),
      ("x=aaaaaaaaaaaaAbbbbbbb", "x=aaaaaaaaaaaaBbbbbbbb"),
    ])
  func wrongSignature(signature: String, altered: String) throws {
    let sent = try fault(#"{"signature":"wrong"}"#).applied(
      to: request(signature), signatureFields: ["X-Signature"], signatureMember: nil)

    #expect(sent == .json([1], .init("X-Signature", altered), .init("X-Other", signature)))
  }

  @Test("a missing signature is no header field")
  func missingSignature() throws {
    let sent = try fault(#"{"signature":"missing"}"#).applied(
      to: request("abc"), signatureFields: ["X-Signature"], signatureMember: nil)

    #expect(sent == .json([1], .init("X-Other", "abc")))
  }

  @Test("other faults leave the request as it is")
  func unchanged() throws {
    let sent = try fault(#"{"delivery":"duplicate","delayMs":5}"#).applied(
      to: request("abc"), signatureFields: ["X-Signature"], signatureMember: nil)

    #expect(sent == request("abc"))
  }

  @Test("people read what a fault does")
  func effect() throws {
    #expect(
      try fault(
        #"{"provider":"acme","kind":"thing.created","number":"+12025550100","delivery":"reorder","signature":"wrong"}"#
      ).effect
        == "thing.created webhooks of acme about +12025550100: sent after the next one, wrong signature")
    #expect(
      try fault(#"{"delayMs":5000,"signature":"missing"}"#).effect == "webhooks: 5000 ms late, no signature")
  }
}
