import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import ringfence.Ringfence;
import ringfence.Sandbox;

@ExtendWith(Ringfence.class)
class FailingTest {
  @BeforeAll
  static void allHaveThisOne(Sandbox sandbox) {}

  @Test
  void fails(Sandbox sandbox) throws Exception {
    sandbox.fail("text-lost");
    new SignIn(sandbox.env()).send("+12025550100");
    sandbox.code("+12025550100", new Sandbox.Which().within(1));
  }

  @Test
  void isMisspelt(Sandbox sandbox) {
    sandbox.fail("text-lots");
  }

  @Nested
  class OfAll {
    OfAll(Sandbox sandbox) {}

    @Test
    void haveThisOne() {}
  }
}
