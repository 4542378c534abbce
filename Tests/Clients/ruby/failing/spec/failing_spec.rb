require "ringfence/rspec"
require "sign_in"

RSpec.describe "a" do
  it "fails" do
    sandbox.fail("text-lost")
    sandbox.use_env
    SignIn.send_code("+12025550100")
    sandbox.code("+12025550100", within: 1)
  end

  describe "sandbox of all" do
    before(:all) { sandbox }

    it("is refused") {}
  end

  it("is misspelt") { sandbox.fail("text-lots") }
end
