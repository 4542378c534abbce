# Verifies a number with Telesign's official client for Ruby.
require "net/http"
require "telesignenterprise"

NUMBER = "12025550100"

client = TelesignEnterprise::VerifyClient.new(ENV.fetch("TELESIGN_CUSTOMER_ID"), ENV.fetch("TELESIGN_API_KEY"))
sent = client.sms(NUMBER)
code = Net::HTTP.get(URI("#{ENV.fetch("RINGFENCE_URL")}/control/inbox/+#{NUMBER}/latest/code"))
puts client.status(sent.json["reference_id"], verify_code: code).json["verify"]["code_state"]
