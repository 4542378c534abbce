# frozen_string_literal: true

require "ringfence"
require "minitest"

module Ringfence
  # `sandbox` in every test, and what happened in it with every failed one.
  module Minitest
    include Test

    def ringfence_test = "#{self.class}##{name}"

    def after_teardown
      super
      explanation = end_ringfence(failed: failures.any?)
      return unless explanation

      failures.map! do |failure|
        failed = failure.is_a?(::Minitest::UnexpectedError) ? failure.error : failure
        told = failed.exception("#{failed.message}\n#{explanation}")
        failure.equal?(failed) ? told : ::Minitest::UnexpectedError.new(told)
      end
    end
  end
end

Minitest::Test.include(Ringfence::Minitest)
