# frozen_string_literal: true

require "fileutils"
require "json"
require "net/http"
require "open3"
require "socket"
require "tmpdir"
require "uri"

# Tests of phone verification against a sandbox: no account, no cost, no network.
#
#   require "ringfence/rspec" or "ringfence/minitest"
#   sandbox.use_env
#   sign_in("+12025550100")
#   confirm("+12025550100", sandbox.code("+12025550100"))
module Ringfence
  # The message says what was wrong, what was expected, and the nearest name.
  class Error < StandardError; end

  # A server: that of $RINGFENCE_URL, or a new one for this process, which ends with it. The program is
  # $RINGFENCE_BINARY, or `ringfence` on the PATH.
  module Server
    START = %w[serve --http 127.0.0.1:0 --https 127.0.0.1:0 --gateway 127.0.0.1:0 --ready json --until-stdin-ends].freeze
    @lock = Mutex.new

    def self.url
      @lock.synchronize { @url ||= (ENV["RINGFENCE_URL"]&.chomp("/")&.sub(%r{/s/[^/]*\z}, "") || start) }
    end

    def self.program = ENV.fetch("RINGFENCE_BINARY", "ringfence")

    def self.start
      errors = File.join(Dir.mktmpdir("ringfence-"), "errors")
      # The input stays open until this process ends, even if it is killed.
      @input, @output, = Open3.popen2(program, *START, err: errors)
      line = @output.gets.to_s
      JSON.parse(line).fetch("http")
    rescue SystemCallError => e
      raise Error, "no program `ringfence`: put it on the PATH, or set RINGFENCE_BINARY to its path: #{e.message}"
    rescue JSON::ParserError, KeyError
      raise Error, "the server did not start: #{line}#{File.read(errors)}"
    ensure
      FileUtils.rm_r(File.dirname(errors))
    end
    private_class_method :start
  end

  # Sends a request to the control API. Returns its JSON or text.
  def self.control(base, method, path, body = nil)
    uri = URI("#{base}/control/#{path}")
    request = Net::HTTP.const_get(method.capitalize).new(uri, "Content-Type" => "application/json")
    token = ENV["RINGFENCE_TOKEN"] || ENV["RINGFENCE_ADMIN_TOKEN"]
    request["Authorization"] = "Bearer #{token}" if token
    request.body = JSON.generate(body) if body
    # Proxies are for the app under test. The control API is always reached directly.
    answer = Net::HTTP.start(uri.host, uri.port, nil, use_ssl: uri.scheme == "https", read_timeout: 90) do |http|
      http.request(request)
    end
    said = answer.content_type == "application/json" ? JSON.parse(answer.body) : answer.body.to_s.dup.force_encoding("UTF-8")
    return said if answer.code.to_i < 400

    raise Error, said.is_a?(Hash) ? said["error"] : said.strip
  end

  # One test's own providers, phones, clock and failures.
  class Sandbox
    attr_reader :name, :url, :credentials

    # `clock`, such as 2026-01-05T10:20:30Z, freezes its clock at this time. `seed` is its random seed: with the
    # same one, the codes are the same. `seeds` are the names of its initial data.
    def initialize(test: nil, clock: nil, seed: nil, seeds: nil)
      body = { ttl: "1h", clock: clock, entropySeed: seed, seeds: seeds }.compact
      made = Ringfence.control(Server.url, "POST", "sandboxes", body)
      @name = made["name"]
      # The base URL for SDKs. It selects this sandbox.
      @url = made["urls"]["prefixed"]
      # What clients sign in with, by provider: credentials["twilio"]["authToken"].
      @credentials = made["credentials"]
      @repairs = []
      control("POST", "tests", { name: test[0, 300] }) if test
    end

    # Sends a request to /control/PATH of this sandbox, for what has no method here.
    def control(method, path, body = nil, **query)
      query = query.compact
      path += "?#{URI.encode_www_form(query)}" unless query.empty?
      Ringfence.control(url, method, path, body)
    end

    # The newest code on this phone or in this mailbox. Waits for it, up to `within` seconds. `pattern` finds it
    # in a text: a regular expression whose first group, or match, is the code.
    def code(to, provider: nil, channel: nil, pattern: nil, within: 5)
      pattern = pattern.source if pattern.is_a?(Regexp)
      control("GET", "inbox/#{part(to)}/latest/code", wait: within.ceil, provider: provider, channel: channel,
                                                      pattern: pattern).strip
    end

    # The newest messages on a phone, oldest first, at most 1000.
    def messages(to) = control("GET", "inbox/#{part(to)}", limit: 1000)["messages"]

    # Moves the clock by a duration such as "10m1s", or by seconds. All work that is due is done when it returns.
    def advance(duration)
      step = duration.is_a?(String) ? { advance: duration } : { advanceMs: (duration * 1000).to_i }
      clock = control("POST", "clock", step, wait: 60)
      clock = control("GET", "clock", wait: 60) while clock["towards"]
    end

    # Lets something fail from now on, such as "text-lost" or "api-503": `ringfence failures` lists the names.
    def fail(failure, to: nil, provider: nil, times: nil)
      path = "failures/#{part(failure)}"
      made = control("POST", path, { number: to, provider: provider, times: times }.compact)
      @repairs << [path, to] if to && made["repair"]
    end

    # Ends all failures: removes every rule, and undoes what `fail` did to a number.
    def repair
      %w[faults scenarios webhooks/faults chaos].each { |path| control("DELETE", path) }
      control("DELETE", @repairs[-1][0], number: @repairs.pop[1]) until @repairs.empty?
    end

    # The environment variables that the providers' SDKs read: credentials, and base URLs where they do.
    def env
      @files ||= Dir.mktmpdir("ringfence-")
      printed, errors, status = Open3.capture3(
        Server.program, "env", "--format", "json", "--url", Server.url, "--sandbox", name, "--data", @files)
      raise Error, "ringfence env: #{errors}" unless status.success?

      JSON.parse(printed)
    end

    # Sets `env` in this process until the end of the test, or of the block.
    def use_env
      @before ||= ENV.to_h
      ENV.update(env)
      yield if block_given?
    ensure
      restore_env if block_given?
    end

    # A receiver of webhooks on this machine, started on first use.
    def webhooks = @webhooks ||= Webhooks.new(self)

    # What was sent, what was refused and why, in lines for people.
    def summary = control("GET", "explanation")

    def delete
      restore_env
      @webhooks&.stop
      FileUtils.rm_r(@files) if @files
      Ringfence.control(Server.url, "DELETE", "sandboxes/#{name}")
    end

    private

    def part(text) = URI.encode_www_form_component(text)

    def restore_env
      ENV.replace(@before) if @before
      @before = nil
    end
  end

  # A webhook as it arrived: its URL with the query, its headers with names in lower case, and its exact bytes,
  # which a signature covers.
  Webhook = Struct.new(:url, :headers, :body) do
    # The body: of JSON its value, of a form a hash.
    def data = body.start_with?("{", "[") ? JSON.parse(body) : URI.decode_www_form(body).to_h
  end

  # A receiver. Give its `url` to the provider.
  class Webhooks
    attr_reader :url

    def initialize(sandbox)
      @sandbox = sandbox
      @all = []
      @new = []
      @statuses = [200]
      @lock = Mutex.new
      @changed = ConditionVariable.new
      @socket = TCPServer.new("127.0.0.1", 0)
      @url = "http://127.0.0.1:#{@socket.addr[1]}/webhooks"
      @thread = Thread.new { loop { Thread.new(@socket.accept) { |client| receive(client) } } }
      @thread.report_on_exception = false
    end

    # Answers the next webhooks with these statuses; the last one repeats. At first, that is 200.
    def answer(*statuses) = @lock.synchronize { @statuses = statuses }

    # What arrived so far, oldest first.
    def all = @lock.synchronize { @all.dup }

    # The next webhook with this text in its body; each is returned once. Waits up to `within` seconds.
    def wait(contains: "", within: 5)
      limit = now + within
      @lock.synchronize do
        loop do
          place = @new.index { |each| each.body.include?(contains) }
          return @new.delete_at(place) if place

          left = limit - now
          raise Error, none_with(contains, within) if left <= 0

          @changed.wait(@lock, left)
        end
      end
    end

    def stop
      @thread.kill
      @socket.close
    end

    private

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def none_with(contains, within)
      why = if @sandbox.control("GET", "webhooks", limit: 1)["webhooks"].empty?
              "; the sandbox has none: did a request or a setting name webhooks.url?"
            elsif @sandbox.control("GET", "clock")["mode"] == "frozen"
              "; the clock stands still until you advance it"
            end
      "no new webhook with #{contains.inspect} came within #{within} s; #{@all.size} arrived before#{why}"
    end

    def receive(client)
      target = client.gets.split[1]
      headers = {}
      while (line = client.gets.chomp) != ""
        field, value = line.split(":", 2)
        headers[field.downcase] = value.strip
      end
      body = client.read(headers["content-length"].to_i).to_s.force_encoding("UTF-8")
      webhook = Webhook.new(url.delete_suffix("/webhooks") + target, headers, body)
      status = @lock.synchronize do
        [@all, @new].each { |list| list << webhook }
        @changed.broadcast
        @statuses.size > 1 ? @statuses.shift : @statuses[0]
      end
      client.write("HTTP/1.1 #{status} \r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    ensure
      client.close
    end
  end

  # What the test libraries have in common.
  module Test
    # This test's sandbox, made on first use. Options: see Sandbox.new.
    def sandbox(**options) = @ringfence_sandbox ||= Sandbox.new(test: ringfence_test, **options)

    private

    # Deletes the sandbox. Of a failed test, returns what happened in it.
    def end_ringfence(failed:)
      return unless @ringfence_sandbox

      "What happened in the sandbox of #{ringfence_test}:\n#{@ringfence_sandbox.summary}" if failed
    ensure
      @ringfence_sandbox&.delete
      @ringfence_sandbox = nil
    end
  end
end
