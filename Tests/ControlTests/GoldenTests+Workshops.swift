/// Workshops as a client sees them.
extension GoldenTests {
  static let workshops = [
    Case("listStories", "shipped", "GET /control/stories"),
    Case("listStories", "bad-query", "GET /control/stories?name=x"),
    Case("listWorkshops", "one", "GET /control/workshops", after: .workshop),
    Case(
      "createWorkshop", "made", "POST /control/workshops",
      #"{"name":"tuesday","story":"first-sign-in","participants":2,"clock":"2026-01-05T10:20:30Z","seeds":[]}"#
    ),
    Case(
      "createWorkshop", "unknown-story", "POST /control/workshops",
      #"{"name":"tuesday","story":"first-signin","participants":2}"#),
    Case(
      "createWorkshop", "same-name-twice", "POST /control/workshops",
      #"{"name":"tuesday","story":"first-sign-in","participants":["Ana","Ana"]}"#),
    Case(
      "createWorkshop", "taken", "POST /control/workshops",
      #"{"name":"tuesday","story":"first-sign-in","participants":1}"#, after: .workshop),
    Case("fetchWorkshop", "board", "GET /control/workshops/tuesday", after: .workshop),
    Case("fetchWorkshop", "unknown", "GET /control/workshops/tuesday"),
    Case("streamBoard", "changed", "GET /control/workshops/tuesday/stream?after=0", after: .workshop),
    Case("streamBoard", "unknown", "GET /control/workshops/tuesday/stream"),
    Case("deleteWorkshop", "gone", "DELETE /control/workshops/tuesday", after: .workshop),
    Case("deleteWorkshop", "unknown", "DELETE /control/workshops/tuesday"),
    Case(
      "addParticipants", "one", "POST /control/workshops/tuesday/participants", #"{"participants":["Cem"]}"#,
      after: .workshop),
    Case(
      "addParticipants", "name-twice", "POST /control/workshops/tuesday/participants",
      #"{"participants":["Ana"]}"#, after: .workshop),
    Case(
      "addParticipants", "unknown", "POST /control/workshops/tuesday/participants", #"{"participants":1}"#),
    Case("fetchResults", "two", "GET /control/workshops/tuesday/results.csv", after: .workshop),
    Case("fetchResults", "unknown", "GET /control/workshops/tuesday/results.csv"),
    Case("resetParticipants", "all", "POST /control/workshops/tuesday/reset", "{}", after: .workshop),
    Case(
      "resetParticipants", "unknown", "POST /control/workshops/tuesday/reset", #"{"participants":["Anna"]}"#,
      after: .workshop),
    Case(
      "breakParticipants", "one", "POST /control/workshops/tuesday/break",
      #"{"participants":["Ana"],"faults":[{"provider":"acme","status":503}]}"#, after: .workshop),
    Case(
      "breakParticipants", "nothing", "POST /control/workshops/tuesday/break", #"{"participants":["Ana"]}"#,
      after: .workshop),
    Case("fixParticipants", "all", "POST /control/workshops/tuesday/fix", "{}", after: .workshop),
    Case(
      "fixParticipants", "nobody", "POST /control/workshops/tuesday/fix", #"{"participants":[]}"#,
      after: .workshop),
    Case(
      "moveParticipants", "all", "POST /control/workshops/tuesday/clock", #"{"advance":"10m"}"#,
      after: .workshop),
    Case(
      "moveParticipants", "no-change", "POST /control/workshops/tuesday/clock", "{}", after: .workshop),
    Case(
      "noteParticipants", "one", "POST /control/workshops/tuesday/note",
      #"{"participants":["Ben"],"note":"Break until 11"}"#, after: .workshop),
    Case("noteParticipants", "no-text", "POST /control/workshops/tuesday/note", "{}", after: .workshop),
    Case("listTasks", "none-done", "GET /s/tuesday-1/control/tasks", after: .workshop),
    Case("listTasks", "no-workshop", "GET /control/tasks", after: .workshop),
    Case("restartTask", "again", "POST /s/tuesday-1/control/tasks/restart", after: .workshop),
    Case("restartTask", "no-workshop", "POST /control/tasks/restart", after: .workshop),
  ]
}
