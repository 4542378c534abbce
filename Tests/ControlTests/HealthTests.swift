import Basics
import Control
import Domain
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

  /// Issue 45, B6.
  @Test("a health check does not wait for a sandbox", arguments: ["/livez", "/readyz"])
  func busy(path: String) throws {
    let saved = try desk.respond("GET /control/sandboxes/default/snapshot").body
    let restore = desk.wait("PUT /control/sandboxes/default/snapshot", String(decoding: saved, as: UTF8.self))
    let dispatcher = desk.world.dispatcher
    #expect(restore != nil && desk.sandbox.isBusy)

    let reply = dispatcher.respond(to: Request(.get, Target(path), headers: ["Host": "127.0.0.1:5550"]))
    guard case .now(let response) = reply else { throw Waits() }
    #expect(response.body == Array("ok\n".utf8))
  }

  private struct Waits: Error {}

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
    # HELP ringfence_access_log_dropped_lines_total Lines of the access log that could not be written.
    # TYPE ringfence_access_log_dropped_lines_total counter
    ringfence_access_log_dropped_lines_total 0
    # HELP ringfence_backup_timestamp_seconds The time of the data in the newest backup of this process (--backup).
    # TYPE ringfence_backup_timestamp_seconds gauge
    # HELP ringfence_backup_failures_total Backups that could not be made.
    # TYPE ringfence_backup_failures_total counter
    ringfence_backup_failures_total 0
    # HELP ringfence_commit_failures_total Transactions that could not be committed.
    # TYPE ringfence_commit_failures_total counter
    ringfence_commit_failures_total 0

    """

  private static let bySandbox = """
    # HELP ringfence_sandbox_requests_total The same by sandbox, for the first 100.
    # TYPE ringfence_sandbox_requests_total counter
    """

  private static let attempts = """
    # HELP ringfence_webhook_attempts_total Attempts to deliver a webhook.
    # TYPE ringfence_webhook_attempts_total counter
    """

  @Test("a new process has no counts")
  func none() throws {
    #expect(
      try desk.ask("GET /metrics")
        == """
        200 # HELP ringfence_requests_total Requests answered.
        # TYPE ringfence_requests_total counter
        \(Self.bySandbox)
        \(Self.attempts)
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
        \(Self.bySandbox)
        ringfence_sandbox_requests_total{sandbox="default",owner="",status="4xx"} 1
        ringfence_sandbox_requests_total{sandbox="default",owner="acme",status="2xx"} 2
        ringfence_sandbox_requests_total{sandbox="default",owner="acme",status="4xx"} 1
        ringfence_sandbox_requests_total{sandbox="default",owner="control",status="2xx"} 1
        \(Self.attempts)
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

  @Test("attempts to deliver webhooks are counted by provider and result")
  func webhooks() throws {
    let metrics = desk.world.dispatcher.metrics
    metrics.count(.answered(status: 204, body: ""), of: "acme")
    metrics.count(.answered(status: 200, body: ""), of: "acme")
    metrics.count(.unanswered(why: "timeout"), of: "acme")
    metrics.count(.refused(why: "blocked"), of: "zulu")

    #expect(
      try desk.ask("GET /metrics").contains(
        """
        \(Self.attempts)
        ringfence_webhook_attempts_total{owner="acme",result="2xx"} 2
        ringfence_webhook_attempts_total{owner="acme",result="unanswered"} 1
        ringfence_webhook_attempts_total{owner="zulu",result="refused"} 1

        """))
  }

  @Test("the time of the newest backup is a metric after the first one")
  func backups() throws {
    #expect(try !desk.ask("GET /metrics").contains("\nringfence_backup_timestamp_seconds "))
    desk.world.dispatcher.metrics.backedUpAt = Timestamp(milliseconds: 1_767_608_430_123)
    #expect(try desk.ask("GET /metrics").contains("\nringfence_backup_timestamp_seconds 1767608430.123\n"))
  }

  @Test("metrics have Prometheus' content type")
  func contentType() throws {
    #expect(
      try desk.respond("GET /metrics").headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
  }
}
