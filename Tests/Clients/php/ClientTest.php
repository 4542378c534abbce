<?php

use PHPUnit\Framework\TestCase;
use Ringfence\Sandbox;

require_once __DIR__ . '/Ringfence.php';

final class ClientTest extends TestCase {
    use Ringfence\WithSandbox;

    private const NUMBER = '+12025550100';

    private static function post(string $url, array $headers, string $body): int {
        $options = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'ignore_errors' => true];
        $stream = fopen($url, 'r', false, stream_context_create(['http' => $options]));
        return (int) explode(' ', stream_get_meta_data($stream)['wrapper_data'][0])[1];
    }

    /** The status of Twilio's answer. */
    private static function sendCode(Sandbox $sandbox): int {
        $own = $sandbox->credentials['twilio'];
        return self::post(
            "$sandbox->url/v2/Services/{$own['serviceSid']}/Verifications",
            ['Authorization: Basic ' . base64_encode("{$own['accountSid']}:{$own['authToken']}"),
                'Content-Type: application/x-www-form-urlencoded'],
            http_build_query(['To' => self::NUMBER, 'Channel' => 'sms']));
    }

    public function testOptions(): void {
        $other = new Sandbox(seed: 7);
        $sandbox = $this->sandbox(seed: 7, clock: '2026-01-05T12:00:00Z');
        self::sendCode($sandbox);
        self::sendCode($other);
        self::assertSame($sandbox->code(self::NUMBER), $other->code(self::NUMBER));
        self::assertNotSame($sandbox->name, $other->name);
        self::assertSame(['frozen', '2026-01-05T12:00:00Z'], [$sandbox->control('GET', 'clock')['mode'], $sandbox->control('GET', 'clock')['now']]);
        $other->delete();
    }

    public function testPattern(): void {
        self::sendCode($this->sandbox());
        $whole = $this->sandbox()->code(self::NUMBER);
        $part = $this->sandbox()->code(self::NUMBER, provider: 'twilio', channel: 'sms', pattern: '\d{3}');
        self::assertSame(substr($whole, 0, 3), $part);
        self::assertStringContainsString($whole, $this->sandbox()->messages(self::NUMBER)[0]['text']);
    }

    public function testRepair(): void {
        $this->sandbox()->fail('api-503', provider: 'twilio');
        $this->sandbox()->fail('text-suspended', to: self::NUMBER);
        self::assertSame(503, self::sendCode($this->sandbox()));
        $this->sandbox()->repair();
        self::assertSame(201, self::sendCode($this->sandbox()));
        self::assertMatchesRegularExpression('/^\d{6}$/', $this->sandbox()->code(self::NUMBER));
    }

    public function testReceiver(): void {
        $webhooks = $this->sandbox()->webhooks();
        $webhooks->answer(500, 200);
        foreach ([500, 200, 200] as $expected) {
            self::assertSame($expected, self::post("$webhooks->url/a?b=c", ['Content-Type: text/plain'], 'x=hello'));
        }
        self::assertSame("$webhooks->url/a?b=c", $webhooks->wait('hell', 1)->url);
        self::assertSame(array_fill(0, 3, ['x' => 'hello']), array_map(fn ($each) => $each->data(), $webhooks->all()));
        $this->expectExceptionMessage('no new webhook with "bye" came within 0 s; 3 arrived before; the sandbox has none: did a request or a setting name');
        $webhooks->wait('bye', 0);
    }

    public function testEnvIsRestored(): void {
        [$before, $env, $server] = [getenv(), $_ENV, $_SERVER];
        $sandbox = new Sandbox();
        $sandbox->useEnv();
        self::assertSame($sandbox->credentials['twilio']['accountSid'], getenv('TWILIO_ACCOUNT_SID'));
        self::assertSame($sandbox->credentials['twilio']['accountSid'], $_ENV['TWILIO_ACCOUNT_SID']);
        $sandbox->delete();
        self::assertEquals([$before, $env, $server], [getenv(), $_ENV, $_SERVER]);
    }
}
