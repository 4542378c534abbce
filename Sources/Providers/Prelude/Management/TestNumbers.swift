import HTTP
import ProviderKit

// The resource `/v2/verification/management/phone-numbers/sandbox`. Source: contract 6.3.

func listTestNumbers(_ call: Call) throws -> Response {
  try call.refuseWithoutManagement()
  let numbers = try TestNumber.all(in: call.sandbox)
  return call.bareAnswer { TestNumberListBody(numbers: numbers).write(to: &$0) }
}

func putTestNumber(_ call: Call) throws -> Response {
  let form = try TestNumberForm(call.request.json)
  try call.refuseWithoutManagement()
  let number = try call.number(form.phoneNumber, of: "phone_number")
  try TestNumber.keep(number, code: form.attemptCode, in: call.sandbox)
  return call.bareAnswer { TestNumberBody(number: number, attemptCode: form.attemptCode).write(to: &$0) }
}

func deleteTestNumber(_ call: Call) throws -> Response {
  try call.refuseWithoutManagement()
  let number = try call.number(call.request[parameter: "number"], of: "phone_number")
  try TestNumber.forget(number, in: call.sandbox)
  return call.bareAnswer { NumberBody(number: number).write(to: &$0) }
}
