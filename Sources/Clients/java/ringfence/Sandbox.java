package ringfence;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One test's own providers, phones, clock and failures. */
public final class Sandbox implements AutoCloseable {
  public final String name;
  /** The base URL for SDKs. It selects this sandbox. */
  public final String url;
  /** What clients sign in with, by provider: {@code credentials.get("twilio").get("authToken")}. */
  public final Map<String, Map<String, String>> credentials;

  private final List<String> repairs = new ArrayList<>();
  private Webhooks webhooks;

  /** Creates a sandbox of the running server. {@code options} are members of POST /control/sandboxes. */
  @SuppressWarnings("unchecked")
  public Sandbox(Map<String, ?> options) {
    var body = new LinkedHashMap<String, Object>(options);
    body.putIfAbsent("ttl", "1h");
    var made = (Map<String, Object>) Server.control(Server.url(), "POST", "sandboxes", body);
    name = (String) made.get("name");
    url = ((Map<String, String>) made.get("urls")).get("prefixed");
    credentials = (Map<String, Map<String, String>>) made.get("credentials");
  }

  /**
   * Sends a request to /control/PATH of this sandbox, for what has no method here. The answer is JSON as maps and
   * lists, or text.
   */
  public Object control(String method, String path, Map<String, ?> body) {
    return Server.control(url, method, path, body);
  }

  /** Options of {@link #code(String, Which)}: {@code new Which().pattern("\\d{4}").within(1)}. */
  public static final class Which {
    private final StringBuilder query = new StringBuilder();
    private double within = 5;

    public Which provider(String name) { return with("provider", name); }

    public Which channel(String name) { return with("channel", name); }

    /** Finds the code in a text: a regular expression whose first group, or match, is the code. */
    public Which pattern(String expression) { return with("pattern", expression); }

    /** In seconds. */
    public Which within(double seconds) {
      within = seconds;
      return this;
    }

    public Which within(Duration time) { return within(time.toMillis() / 1000.0); }

    private Which with(String name, String value) {
      query.append('&').append(name).append('=').append(encoded(value));
      return this;
    }
  }

  /** The newest code on this phone or in this mailbox. Waits for it, up to five seconds. */
  public String code(String to) { return code(to, new Which()); }

  public String code(String to, Which which) {
    var query = "wait=" + (int) Math.ceil(which.within) + which.query;
    return control("GET", "inbox/" + encoded(to) + "/latest/code?" + query, null).toString().strip();
  }

  /** The newest messages on a phone, oldest first, at most 1000. */
  @SuppressWarnings("unchecked")
  public List<Map<String, Object>> messages(String to) {
    var page = (Map<String, Object>) control("GET", "inbox/" + encoded(to) + "?limit=1000", null);
    return (List<Map<String, Object>>) page.get("messages");
  }

  /** Moves the clock. All work that is due is done when it returns. */
  public void advance(Duration step) {
    var clock = (Map<?, ?>) control("POST", "clock?wait=60", Map.of("advanceMs", step.toMillis()));
    while (clock.containsKey("towards")) clock = (Map<?, ?>) control("GET", "clock?wait=60", null);
  }

  /** Options of {@link #fail(String, For)}: {@code new For().to("+12025550100").times(1)}. */
  public static final class For {
    private final Map<String, Object> body = new LinkedHashMap<>();

    public For to(String number) { return with("number", number); }

    public For provider(String name) { return with("provider", name); }

    public For times(int count) { return with("times", count); }

    private For with(String name, Object value) {
      body.put(name, value);
      return this;
    }
  }

  /** Lets something fail from now on, such as text-lost or api-503: {@code ringfence failures} lists the names. */
  public void fail(String failure) { fail(failure, new For()); }

  public void fail(String failure, For whom) {
    var path = "failures/" + encoded(failure);
    var made = (Map<?, ?>) control("POST", path, whom.body);
    var number = (String) whom.body.get("number");
    if (number != null && made.containsKey("repair")) repairs.add(path + "?number=" + encoded(number));
  }

  /** Ends all failures: removes every rule, and undoes what {@code fail} did to a number. */
  public void repair() {
    for (var path : List.of("faults", "scenarios", "webhooks/faults", "chaos")) control("DELETE", path, null);
    for (var path : repairs) control("DELETE", path, null);
    repairs.clear();
  }

  /** The environment variables that the providers' SDKs read: credentials, and base URLs where they do. */
  @SuppressWarnings("unchecked")
  public Map<String, String> env() {
    try {
      var files = Files.createTempDirectory("ringfence-");
      var errors = Files.createTempFile(files, "errors", "");
      try {
        var command = List.of(
            Server.program(), "env", "--format", "json", "--url", Server.url(), "--sandbox", name, "--data",
            files.toString());
        var process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) throw new RingfenceError("ringfence env: " + Files.readString(errors));
        return (Map<String, String>) JSON.parse(printed);
      } finally {
        try (var all = Files.walk(files)) {
          for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
        }
      }
    } catch (IOException | InterruptedException error) {
      throw new RingfenceError("ringfence env: " + error.getMessage());
    }
  }

  /** A receiver of webhooks on this machine, started on first use. */
  public synchronized Webhooks webhooks() {
    if (webhooks == null) webhooks = new Webhooks(this);
    return webhooks;
  }

  /** What was sent, what was refused and why, in lines for people. */
  public String summary() { return (String) control("GET", "explanation", null); }

  /** Deletes the sandbox, and ends its receiver of webhooks. */
  @Override
  public void close() {
    if (webhooks != null) webhooks.stop();
    Server.control(Server.url(), "DELETE", "sandboxes/" + name, null);
  }

  private static String encoded(String text) { return URLEncoder.encode(text, StandardCharsets.UTF_8); }
}
