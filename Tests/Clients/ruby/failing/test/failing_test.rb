require "minitest/autorun"
require "ringfence/minitest"
require "sign_in"

class FailingTest < Minitest::Test
  def test_fails
    sandbox.fail("text-lost")
    sandbox.use_env
    SignIn.send_code("+12025550100")
    sandbox.code("+12025550100", within: 1)
  end

  def test_misspelt
    sandbox.fail("text-lots")
  end
end
