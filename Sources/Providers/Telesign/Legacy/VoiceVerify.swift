import Domain
import HTTP
import ProviderKit

// Voice Verify. Source: contract 7.2.

func createCallVerification(_ context: RequestContext) throws -> Response {
  let form = try LegacyForm(context.request)
  form.declare(["redial"])
  let number = try ParsedNumber.toSendTo(form.required("phone_number"), in: context)
  try form.checkUseCaseAndIP()
  let draft = try callDraft(to: number, as: "call", of: form, context)
  return try draft.send(for: context).response(isNew: true, to: context)
}
