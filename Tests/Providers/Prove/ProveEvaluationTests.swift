import JSON
import Support
import Testing

@testable import Prove

@Suite("Prove · evaluation", .contract("prove.md 4.6"))
struct ProveEvaluationTests {
  private func text(_ evaluation: Evaluation) -> String {
    String(decoding: JSONWriter.object { evaluation.write(to: &$0) }, as: UTF8.self)
  }

  @Test("categories are objects, in a fixed order, with reasons only where they failed")
  func shape() {
    var evaluation = Evaluation.passed(.risk)
    evaluation.fail(.numberDoesNotMatchKey)
    evaluation.fail(.numberDoesNotMatchKey)
    evaluation.pass(.authentication)

    #expect(!evaluation.isPassed)
    #expect(
      text(evaluation)
        == #"{"evaluation":{"authentication":{"result":"fail","failureReasons":{"9101":"Phone number doesn't match Prove Key. Rebind required."}},"risk":{"result":"pass"}}}"#
    )
  }

  @Test("nothing is written before a category was evaluated")
  func empty() {
    #expect(text(Evaluation.passed()) == "{}")
    #expect(Evaluation.passed(.authentication).isPassed)
  }

  @Test("reputation is a risk, codes below 9100 concern the identity, and the others possession")
  func categories() {
    #expect(FraudCode.lowTrustScore.category == .risk)
    #expect(FraudCode.birthDateMismatch.category == .identification)
    #expect(FraudCode.possessionIncomplete.category == .authentication)
  }
}
