extension ControlAPI {
  var ruleOperations: [Operation] {
    RuleKinds.all.flatMap { operations(of: $0) } + [
      Operation(
        .get("/control/faults/options", as: "fetchFaultOptions", fetchFaultOptions), access: .participant,
        "List what faults can name: routes and error codes of each provider.",
        query: [Parameter.provider.member], .json(FaultOptions.schema))
    ]
  }

  /// Lists, replaces and removes the rules of one kind.
  private func operations<Content: Rule>(of kind: Content.Type) -> [Operation] {
    let (path, name) = (Pattern(stringLiteral: Content.controlPath), Content.listName.capitalizedFirst)
    let nouns = "\(Content.noun)s"
    let schema = Lazy {
      Schema<[CountedRule<Content>]>.list(
        Content.listName, CountedRule<Content>.schema, "The \(nouns), in order.")
    }
    let body = Lazy {
      ObjectSchema(nil, "The new \(nouns).", [Content.listMember]).requiring(Content.listName, as: name)
    }
    let list = { sandbox in schema().response(try Content.rules(of: sandbox).all) }
    return [
      Operation(
        .get(path, as: "list\(name)") { _, sandbox in try list(sandbox) }, access: .participant,
        "List the \(nouns): rules about \(Content.subject).", .json(schema())),
      Operation(
        .put(path, as: "put\(name)") { request, sandbox in
          try replace(kind, with: request.json, in: sandbox, body())
          return try list(sandbox)
        }, access: .participant, "Replace the \(nouns).", body: body(), .json(schema())),
      Operation(
        .delete(path, as: "clear\(name)") { _, sandbox in
          try Content.rules(of: sandbox).replace(with: [])
          return Response(204)
        }, access: .participant, "Remove the \(nouns).", .empty),
    ]
  }

  private func replace<Content: Rule>(
    _ kind: Content.Type, with fields: Fields, in sandbox: Sandbox, _ body: ObjectSchema
  ) throws {
    let list = try fields.objects(Content.listName, atMost: RuleLimits.perList)
    let rules = try sandboxes.seeds.rules(kind, from: list, for: sandbox)
    try fields.requireAllRead(of: body)
    try Content.rules(of: sandbox).replace(with: rules) { list[$0].has("hits") }
  }
}
