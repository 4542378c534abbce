# Verifies a number at Twilio with Ruby's Net::HTTP.
require "json"
require "net/http"

NUMBER = "+12025550100"
SERVICE = URI("https://verify.twilio.com/v2/Services/#{ENV.fetch("TWILIO_VERIFY_SERVICE_SID")}/")

def post(path, form)
  request = Net::HTTP::Post.new(SERVICE + path)
  request.basic_auth(ENV.fetch("TWILIO_ACCOUNT_SID"), ENV.fetch("TWILIO_AUTH_TOKEN"))
  request.set_form_data(form)
  answer = Net::HTTP.start(SERVICE.host, SERVICE.port, use_ssl: true) { |http| http.request(request) }
  JSON.parse(answer.body)
end

post("Verifications", To: NUMBER, Channel: "sms")
code = Net::HTTP.get(URI("#{ENV.fetch("RINGFENCE_URL")}/control/inbox/#{NUMBER}/latest/code"))
puts post("VerificationCheck", To: NUMBER, Code: code)["status"]
