import Snapshots

extension ControlAPI {
  var sandboxOperations: [Operation] {
    [
      Operation(
        .deferred(.get, "/control/sandboxes", as: "listSandboxes", listSandboxes), access: .admin,
        secret: true,
        "List all sandboxes.",
        query: Parameter.namedPage, .page(SandboxView.page)),
      Operation(
        .deferred(.post, "/control/sandboxes", as: "createSandbox", createSandbox), access: .admin,
        secret: true,
        "Create a sandbox with new credentials.", body: NewSandbox.schema.object,
        .json(SandboxView.schema, 201)),
      Operation(
        .get("/control/sandboxes/{name}", as: "fetchSandbox", fetchSandbox), access: .participant,
        secret: true,
        "Get a sandbox.",
        .json(SandboxView.schema)),
      Operation(
        .on(.patch, "/control/sandboxes/{name}", as: "updateSandbox", updateSandbox), access: .admin,
        secret: true,
        "Change a sandbox's limits, and when it is removed.",
        body: SandboxChange.schema.object, .json(SandboxView.schema)),
      Operation(
        .delete("/control/sandboxes/{name}", as: "deleteSandbox", deleteSandbox), access: .admin,
        "Delete a sandbox with all its data.", .empty),
      Operation(
        .deferred(.post, "/control/sandboxes/{name}/reset", as: "resetSandbox", resetSandbox),
        access: .participant, secret: true,
        "Reset a sandbox to its seeds.", .json(SandboxView.schema)),
      Operation(
        .post("/control/sandboxes/{name}/tokens", as: "createSandboxToken", createSandboxToken),
        access: .admin, secret: true,
        "Get the token that opens this sandbox only.",
        .json(SandboxTokenView.schema, 201)),
      Operation(
        .delete("/control/sandboxes/{name}/tokens", as: "revokeSandboxToken", revokeSandboxToken),
        access: .admin,
        "Revoke the sandbox's token. It then has another one.", .empty),
      Operation(
        .deferred(.post, "/control/reset", as: "reset", resetThis), access: .participant, secret: true,
        "Reset this sandbox to its seeds.",
        .json(SandboxView.schema)),
      Operation(
        .deferred(.get, "/control/sandboxes/{name}/export", as: "exportSandbox", exportSandbox),
        access: .participant, secret: true,
        "Export a sandbox as a seed, with secrets masked.", .request(sandboxes.seeds.schema)),
      Operation(
        .deferred(.get, "/control/sandboxes/{name}/report", as: "fetchReport", fetchReport),
        access: .participant, secret: true,
        "Get requests, phones and verifications as one HTML file, secrets masked.", .file("text/html")),
      Operation(
        .deferred(.get, "/control/sandboxes/{name}/snapshot", as: "fetchSnapshot", fetchSnapshot),
        access: .participant, secret: true,
        "Get the whole state of a sandbox, with its secrets.", .request(Sandboxes.snapshotSchema)),
      Operation(
        .deferred(
          .put, "/control/sandboxes/{name}/snapshot", as: "restoreSnapshot",
          bodyLimit: SandboxLimits.snapshotBytes, restoreSnapshot), access: .sandbox, secret: true,
        "Replace a sandbox by a snapshot, or create it from one.", body: Sandboxes.snapshotSchema,
        .json(SandboxView.schema, 200, 201)),
      Operation(
        .deferred(
          .post, "/control/shared-files", as: "openSharedFile", bodyLimit: SharedFile.sizeLimit,
          openSharedFile),
        access: .admin, secret: true,
        "Make a new sandbox from a file that a verification was shared as. The body is the file.",
        .json(SandboxView.schema, 201)),
      Operation(
        .deferred(.post, "/control/seed", as: "seed", bodyLimit: 8 << 20, seed), access: .participant,
        "Load a seed into this sandbox.", body: sandboxes.seeds.schema, .json(SeededSandbox.schema)),
      Operation(
        .deferred(.get, "/control/clock", as: "fetchClock", fetchClock), access: .participant,
        "Get the time.",
        query: Parameter.clock, .json(ClockView.schema)),
      Operation(
        .deferred(.post, "/control/clock", as: "setClock", setClock), access: .participant,
        "Advance, set, freeze or release the clock. Answers 200 after all due work, or 202 if that takes longer.",
        query: Parameter.clock, body: ClockChange.schema.object, .json(ClockView.schema, 200, 202)),
      Operation(
        .get("/control/entropy", as: "fetchEntropy", fetchEntropy), access: .participant,
        "Get the random seed.",
        .json(RandomSeed.schema)),
      Operation(
        .put("/control/entropy", as: "setEntropy", setEntropy), access: .participant, "Set the random seed.",
        body: RandomSeed.schema.object, .json(RandomSeed.schema)),
    ]
  }
}
