import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import ringfence.Ringfence;
import ringfence.RingfenceError;
import ringfence.Sandbox;

@ExtendWith(Ringfence.class)
class ClientTest {
  private static final String NUMBER = "+12025550100";

  private static Sandbox ofTheClass;

  @BeforeAll
  static void makeOne(Sandbox sandbox) { ofTheClass = sandbox; }

  private static int post(String url, String authorization, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url)).header("Authorization", authorization)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  /** The status of Twilio's answer. */
  private static int sendCode(Sandbox sandbox) throws Exception {
    var own = sandbox.credentials.get("twilio");
    var user = own.get("accountSid") + ":" + own.get("authToken");
    return post(
        sandbox.url + "/v2/Services/" + own.get("serviceSid") + "/Verifications",
        "Basic " + Base64.getEncoder().encodeToString(user.getBytes()), "To=%2B12025550100&Channel=sms");
  }

  @Test
  @Ringfence.Options(clock = "2026-01-05T12:00:00Z", seed = 7)
  void options(Sandbox sandbox) throws Exception {
    try (var other = new Sandbox(Map.of("entropySeed", 7))) {
      sendCode(sandbox);
      sendCode(other);
      assertEquals(sandbox.code(NUMBER), other.code(NUMBER));
      assertEquals(3, Set.of(sandbox.name, other.name, ofTheClass.name).size());
    }
    var clock = (Map<?, ?>) sandbox.control("GET", "clock", null);
    assertEquals("frozen 2026-01-05T12:00:00Z", clock.get("mode") + " " + clock.get("now"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\d{3}", "\\b(\\d{3})\\d{3}"})
  void pattern(String pattern, Sandbox sandbox) throws Exception {
    sendCode(sandbox);
    var whole = sandbox.code(NUMBER);
    var part = sandbox.code(NUMBER, new Sandbox.Which().provider("twilio").channel("sms").pattern(pattern).within(Duration.ofSeconds(1)));
    assertEquals(whole.substring(0, 3), part);
    assertTrue(sandbox.messages(NUMBER).get(0).get("text").toString().contains(whole));
  }

  @Test
  void repair(Sandbox sandbox) throws Exception {
    sandbox.fail("api-503", new Sandbox.For().provider("twilio"));
    sandbox.fail("text-suspended", new Sandbox.For().to(NUMBER));
    assertEquals(503, sendCode(sandbox));
    sandbox.repair();
    assertEquals(201, sendCode(sandbox));
    assertTrue(sandbox.code(NUMBER).matches("\\d{6}"));
  }

  @Test
  void receiver(Sandbox sandbox) throws Exception {
    var webhooks = sandbox.webhooks();
    webhooks.answer(500, 200);
    for (int expected : new int[] {500, 200, 200}) assertEquals(expected, post(webhooks.url + "/a?b=c", "", "hello"));
    assertEquals(webhooks.url + "/a?b=c", webhooks.await("hell", 1).url());
    assertEquals(3, webhooks.all().size());
    var error = assertThrows(RingfenceError.class, () -> webhooks.await("bye", 0));
    assertEquals(
        "no new webhook with \"bye\" came within 0.0 s; 3 arrived before; "
            + "the sandbox has none: did a request or a setting name webhooks().url?", error.getMessage());
    assertEquals("Webhook to " + webhooks.url + "/a?b=c: hello", webhooks.all().get(0).toString());
    sandbox.control("POST", "clock", Map.of("mode", "frozen"));
    sandbox.control("POST", "webhooks/forge", Map.of("provider", "twilio", "url", webhooks.url, "body", Map.of("a", "b")));
    error = assertThrows(RingfenceError.class, () -> webhooks.await("bye", Duration.ofMillis(10)));
    assertTrue(error.getMessage().endsWith("within 0.01 s; 4 arrived before; the clock stands still until you advance it"));
  }

  @Test
  void everyCharacterOfJSON(Sandbox sandbox) {
    var name = "\"\\/\b\n\r\t\u0001\u00e9 {}[],:";
    sandbox.control("POST", "tests", Map.of("name", name.replaceAll("[\\p{Cntrl}]", "")));
    var error = assertThrows(RingfenceError.class, () -> sandbox.control("POST", "clock", Map.of("advance", name)));
    assertTrue(error.getMessage().contains("\u00e9 {}[],:"), error.getMessage());
    var limits = (Map<?, ?>) sandbox.control("GET", "chaos", null);
    assertEquals("false 0.0 []", limits.get("on") + " " + limits.get("rate") + " " + limits.get("failures"));
  }
}
