package ringfence;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A receiver. Give its {@code url} to the provider. */
public final class Webhooks {
  /** A webhook as it arrived, with its exact bytes, which a signature covers. */
  public record Webhook(String url, Headers headers, byte[] bytes) {
    public String body() { return new String(bytes, StandardCharsets.UTF_8); }

    @Override
    public String toString() { return "Webhook to " + url + ": " + body(); }
  }

  public final String url;
  private final Sandbox sandbox;
  private final HttpServer server;
  private final List<Webhook> all = new ArrayList<>();
  private final List<Webhook> pending = new ArrayList<>();
  private int[] statuses = {200};
  private int answered = 0;

  Webhooks(Sandbox sandbox) {
    this.sandbox = sandbox;
    try {
      server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    } catch (IOException error) {
      throw new RingfenceError("no receiver of webhooks: " + error.getMessage());
    }
    url = "http://127.0.0.1:" + server.getAddress().getPort() + "/webhooks";
    server.createContext("/", this::receive);
    server.start();
  }

  private void receive(HttpExchange exchange) throws IOException {
    var target = url.replaceFirst("/webhooks$", "") + exchange.getRequestURI();
    var webhook = new Webhook(target, exchange.getRequestHeaders(), exchange.getRequestBody().readAllBytes());
    exchange.sendResponseHeaders(add(webhook), -1);
    exchange.close();
  }

  private synchronized int add(Webhook webhook) {
    all.add(webhook);
    pending.add(webhook);
    notifyAll();
    return statuses[Math.min(answered++, statuses.length - 1)];
  }

  /** Answers the next webhooks with these statuses; the last one repeats. At first, that is 200. */
  public synchronized void answer(int first, int... others) {
    statuses = IntStream.concat(IntStream.of(first), IntStream.of(others)).toArray();
    answered = 0;
  }

  /** What arrived so far, oldest first. */
  public synchronized List<Webhook> all() { return List.copyOf(all); }

  /** The next webhook with this text in its body; each is returned once. Waits up to five seconds. */
  public Webhook await(String contains) { return await(contains, 5); }

  public Webhook await(String contains, Duration within) { return await(contains, within.toMillis() / 1000.0); }

  /** The same within another time, in seconds. */
  public synchronized Webhook await(String contains, double within) {
    long end = System.nanoTime() + (long) (within * 1e9);
    while (true) {
      for (var webhook : pending) {
        if (webhook.body().contains(contains)) {
          pending.remove(webhook);
          return webhook;
        }
      }
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new RingfenceError(
            "no new webhook with \"" + contains + "\" came within " + within + " s; " + all.size() + " arrived before"
                + why());
      }
      try {
        wait(left);
      } catch (InterruptedException error) {
        throw new RingfenceError("interrupted");
      }
    }
  }

  private String why() {
    if (((Map<?, ?>) sandbox.control("GET", "webhooks?limit=1", null)).get("webhooks").equals(List.of())) {
      return "; the sandbox has none: did a request or a setting name webhooks().url?";
    }
    var mode = ((Map<?, ?>) sandbox.control("GET", "clock", null)).get("mode");
    return mode.equals("frozen") ? "; the clock stands still until you advance it" : "";
  }

  void stop() { server.stop(0); }
}
