package ringfence;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A server: that of $RINGFENCE_URL, or a new one for this process, which ends with it. The program is
 * $RINGFENCE_BINARY, or {@code ringfence} on the PATH.
 */
final class Server {
  private static String url;
  /** Its input stays open until this process ends, even if it is killed. */
  private static Process process;

  // Proxies are for the app under test. The control API is always reached directly.
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();

  private Server() {}

  static synchronized String url() {
    if (url == null) {
      url = variable("RINGFENCE_URL").orElseGet(Server::start).replaceFirst("/$", "").replaceFirst("/s/[^/]*$", "");
    }
    return url;
  }

  static String program() { return variable("RINGFENCE_BINARY").orElse("ringfence"); }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
  }

  private static String start() {
    try {
      var errors = Files.createTempFile("ringfence-", ".txt");
      try {
        process = new ProcessBuilder(
            program(), "serve", "--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "127.0.0.1:0",
            "--ready", "json", "--until-stdin-ends").redirectError(errors.toFile()).start();
        var line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
        if (line == null || !line.startsWith("{")) {
          throw new RingfenceError("the server did not start: " + line + Files.readString(errors));
        }
        return (String) ((Map<?, ?>) JSON.parse(line)).get("http");
      } finally {
        Files.delete(errors);
      }
    } catch (IOException error) {
      throw new RingfenceError(
          "no program `ringfence`: put it on the PATH, or set RINGFENCE_BINARY to its path: " + error.getMessage());
    }
  }

  /** Sends a request to the control API. Returns its JSON as maps and lists, or its text. */
  static Object control(String base, String method, String path, Map<String, ?> body) {
    var content = body == null
        ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(JSON.text(body));
    var request = HttpRequest.newBuilder(URI.create(base + "/control/" + path)).method(method, content)
        .header("Content-Type", "application/json").timeout(Duration.ofSeconds(90));
    variable("RINGFENCE_TOKEN").or(() -> variable("RINGFENCE_ADMIN_TOKEN"))
        .ifPresent(token -> request.header("Authorization", "Bearer " + token));
    try {
      var answer = CLIENT.send(request.build(), BodyHandlers.ofString());
      var isJSON = answer.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
      var said = isJSON ? JSON.parse(answer.body()) : answer.body();
      if (answer.statusCode() < 400) return said;
      throw new RingfenceError(isJSON ? (String) ((Map<?, ?>) said).get("error") : answer.body().strip());
    } catch (IOException | InterruptedException error) {
      throw new RingfenceError("no server answers at " + base + ": " + error);
    }
  }
}
