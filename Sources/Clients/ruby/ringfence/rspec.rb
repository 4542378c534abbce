# frozen_string_literal: true

require "ringfence"
require "rspec/core"

# `sandbox` in every example, and what happened in it with every failed one.
RSpec.configure do |config|
  config.include(Ringfence::Test)
  config.include(Module.new do
    def ringfence_test
      RSpec.current_example&.full_description or
        raise Ringfence::Error, "`sandbox` belongs to one example: use it in `before`, not in `before(:all)`"
    end
  end)
  config.after do |example|
    explanation = end_ringfence(failed: example.exception)
    (example.metadata[:extra_failure_lines] ||= []).concat(explanation.lines(chomp: true)) if explanation
  end
end
