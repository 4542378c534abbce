import ProviderKit

// Voice Verify. Source: contract 7.2.

func createCallVerification(_ context: RequestContext) throws -> Response {
  let form = try LegacyForm(context.request)
  form.declare(["redial"])
  let number = try ParsedNumber.toSendTo(form.required("phone_number"), in: context)
  try form.checkUseCaseAndIP()
  let draft = try CallDraft(form: form, context: context).draft(to: number, as: "call")
  return try draft.send(for: context).response(isNew: true, to: context)
}
