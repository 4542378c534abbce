import Control
import HTTP
import Support
import Testing

@Suite("Control · health and metrics")
struct HealthTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  @Test("a process that runs and answers says ok", arguments: ["/livez", "/readyz"])
  func health(path: String) throws {
    #expect(try desk.ask("GET \(path)") == "200 ok\n")
  }

  @Test("a health check may have a query", arguments: ["/livez?verbose", "/readyz?verbose"])
  func probes(path: String) throws {
    #expect(try desk.ask("GET \(path)") == "200 ok\n")
  }

  private static let limits = """
    # HELP ringfence_sandboxes_limit The most sandboxes (--max-sandboxes).
    # TYPE ringfence_sandboxes_limit gauge
    ringfence_sandboxes_limit 1000
    # HELP ringfence_sandboxes_removed_total Sandboxes that were removed because nobody used them (ttl).
    # TYPE ringfence_sandboxes_removed_total counter
    ringfence_sandboxes_removed_total 0
    # HELP ringfence_limited_requests_total Requests refused because of a limit of their sandbox.
    # TYPE ringfence_limited_requests_total counter
    ringfence_limited_requests_total{limit="messages"} 0
    ringfence_limited_requests_total{limit="requestsPerSecond"} 0
    ringfence_limited_requests_total{limit="storedBytes"} 0

    """

  @Test("a new process has no counts")
  func none() throws {
    #expect(
      try desk.ask("GET /metrics")
        == """
        200 # HELP ringfence_requests_total Requests answered.
        # TYPE ringfence_requests_total counter
        # HELP ringfence_longest_turn_seconds The longest turn of the event loop. No request is answered meanwhile.
        # TYPE ringfence_longest_turn_seconds gauge
        ringfence_longest_turn_seconds 0.000
        # HELP ringfence_sandboxes Sandboxes in this process.
        # TYPE ringfence_sandboxes gauge
        ringfence_sandboxes 1
        \(Self.limits)
        """)
  }

  @Test("requests are counted by owner, route and status")
  func counts() throws {
    _ = try desk.ask("GET /things/v1/things/a")
    _ = try desk.ask("GET /things/v1/things/b")
    _ = try desk.ask("GET /nowhere")
    _ = try desk.ask("GET /acme/nothing")
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci"}"#)

    #expect(
      try desk.ask("GET /metrics")
        == """
        200 # HELP ringfence_requests_total Requests answered.
        # TYPE ringfence_requests_total counter
        ringfence_requests_total{owner="",route="",status="404"} 1
        ringfence_requests_total{owner="acme",route="",status="404"} 1
        ringfence_requests_total{owner="acme",route="fetchThing",status="200"} 2
        ringfence_requests_total{owner="control",route="createSandbox",status="201"} 1
        # HELP ringfence_longest_turn_seconds The longest turn of the event loop. No request is answered meanwhile.
        # TYPE ringfence_longest_turn_seconds gauge
        ringfence_longest_turn_seconds 0.000
        # HELP ringfence_sandboxes Sandboxes in this process.
        # TYPE ringfence_sandboxes gauge
        ringfence_sandboxes 2
        \(Self.limits)
        """)
  }

  @Test("the longest turn of the event loop is a metric, in seconds")
  func longestTurn() throws {
    desk.world.dispatcher.metrics.longestTurn = .milliseconds(1_205)

    #expect(try desk.ask("GET /metrics").contains("\nringfence_longest_turn_seconds 1.205\n"))
  }

  @Test("metrics have Prometheus' content type")
  func contentType() throws {
    #expect(
      try desk.respond("GET /metrics").headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
  }
}
