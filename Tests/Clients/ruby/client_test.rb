require "minitest/autorun"
require "ringfence/minitest"

class ClientTest < Minitest::Test
  NUMBER = "+12025550100"

  # The status of Twilio's answer.
  def send_code(sandbox)
    own = sandbox.credentials["twilio"]
    uri = URI("#{sandbox.url}/v2/Services/#{own["serviceSid"]}/Verifications")
    request = Net::HTTP::Post.new(uri)
    request.basic_auth(own["accountSid"], own["authToken"])
    request.form_data = { To: NUMBER, Channel: "sms" }
    Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }.code
  end

  def test_options
    other = Ringfence::Sandbox.new(seed: 7)
    [sandbox(seed: 7, clock: "2026-01-05T12:00:00Z"), other].each { |each| send_code(each) }
    assert_equal sandbox.code(NUMBER), other.code(NUMBER)
    refute_equal sandbox.name, other.name
    assert_equal %w[frozen 2026-01-05T12:00:00Z], sandbox.control("GET", "clock").values_at("mode", "now")
    sandbox.advance(0.5)
    assert_equal "2026-01-05T12:00:00.500Z", sandbox.control("GET", "clock")["now"]
  ensure
    other.delete
  end

  def test_pattern
    send_code(sandbox)
    whole = sandbox.code(NUMBER)
    assert_equal whole[0, 3], sandbox.code(NUMBER, provider: "twilio", channel: "sms", pattern: /\d{3}/)
    assert_includes sandbox.messages(NUMBER)[0]["text"], whole
  end

  def test_repair
    sandbox.fail("api-503", provider: "twilio")
    sandbox.fail("text-suspended", to: NUMBER)
    assert_equal "503", send_code(sandbox)
    sandbox.repair
    assert_equal "201", send_code(sandbox)
    assert_match(/\A\d{6}\z/, sandbox.code(NUMBER))
  end

  def test_receiver
    sandbox.webhooks.answer(500, 200)
    statuses = Array.new(3) { Net::HTTP.post(URI("#{sandbox.webhooks.url}/a?b=c"), "x=hello").code }
    assert_equal %w[500 200 200], statuses
    assert_equal "#{sandbox.webhooks.url}/a?b=c", sandbox.webhooks.wait(contains: "hell", within: 1).url
    assert_equal [{ "x" => "hello" }] * 3, sandbox.webhooks.all.map(&:data)
    error = assert_raises(Ringfence::Error) { sandbox.webhooks.wait(contains: "bye", within: 0) }
    assert_match(/\Ano new webhook with "bye" came within 0 s; 3 arrived before; the sandbox has none: did a request or a setting name/, error.message)
  end

  def test_env_is_restored
    before = ENV.to_h
    sandbox.use_env { assert_equal sandbox.credentials["twilio"]["accountSid"], ENV.fetch("TWILIO_ACCOUNT_SID") }
    assert_equal before, ENV.to_h
  end
end
