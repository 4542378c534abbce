package ringfence;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A receiver. Give its {@code url} to the provider. */
public final class Webhooks {
  /** A webhook as it arrived, with its exact bytes, which a signature covers. */
  public record Webhook(String url, Headers headers, byte[] bytes) {
    public String body() { return new String(bytes, StandardCharsets.UTF_8); }
  }

  public final String url;
  private final HttpServer server;
  private final List<Webhook> all = new ArrayList<>();
  private final List<Webhook> pending = new ArrayList<>();
  private int[] statuses = {200};
  private int answered = 0;

  Webhooks() {
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
            "no new webhook with \"" + contains + "\" came within " + within + " s; " + all.size() + " arrived before");
      }
      try {
        wait(left);
      } catch (InterruptedException error) {
        throw new RingfenceError("interrupted");
      }
    }
  }

  void stop() { server.stop(0); }
}
