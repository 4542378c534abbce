import ProviderKit

/// `GET /v2/Forms/{form}`. The contents of the forms are not public. Source: contract 8.5.
func fetchForm(_ context: RequestContext) throws -> Response {
  let name = context.request[parameter: "form"]
  guard name == "form-push" else { throw context.notFound("the only form is form-push; found \(name)") }
  let url = "\(context.baseURL)/v2/Forms/\(name)"
  return .json(200) { json in
    json.member("form_type", name)
    json.object("forms") { forms in
      for form in ["create_factor", "verify_factor", "create_challenge"] {
        forms.object(named: form) { _ in }
      }
    }
    json.object("form_meta") { _ in }
    json.member("url", url)
  }
}
