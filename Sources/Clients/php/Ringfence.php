<?php
declare(strict_types=1);

/*
 * Tests of phone verification against a sandbox: no account, no cost, no network.
 *
 *     final class SignInTest extends TestCase {
 *         use Ringfence\WithSandbox;
 *
 *         public function testACodeSignsIn(): void {
 *             $this->sandbox()->useEnv();
 *             signIn('+12025550100');
 *             self::assertTrue(confirm('+12025550100', $this->sandbox()->code('+12025550100')));
 *         }
 *     }
 */

namespace Ringfence;

/** The message says what was wrong, what was expected, and the nearest name. */
final class Error extends \RuntimeException {}

/**
 * A server: that of $RINGFENCE_URL, or a new one for this process, which ends with it. The program is
 * $RINGFENCE_BINARY, or `ringfence` on the PATH.
 */
final class Server {
    private static ?string $url = null;
    /** @var array<resource> Open until this process ends, even if it is killed. */
    private static array $pipes = [];

    public static function url(): string {
        return self::$url ??= preg_replace('~/s/[^/]*$~', '', rtrim(getenv('RINGFENCE_URL') ?: self::start(), '/'));
    }

    public static function program(): string { return getenv('RINGFENCE_BINARY') ?: 'ringfence'; }

    private static function start(): string {
        $errors = tmpfile();
        $listeners = ['--http', '127.0.0.1:0', '--https', '127.0.0.1:0', '--gateway', '127.0.0.1:0'];
        $command = [self::program(), 'serve', ...$listeners, '--ready', 'json', '--until-stdin-ends'];
        $process = @proc_open($command, [['pipe', 'r'], ['pipe', 'w'], $errors], self::$pipes);
        if ($process === false) {
            throw new Error('no program `ringfence`: put it on the PATH, or set RINGFENCE_BINARY to its path');
        }
        self::$pipes[] = $process;
        $line = (string) fgets(self::$pipes[1]);
        rewind($errors);
        return json_decode($line)->http
            ?? throw new Error("the server did not start: $line" . stream_get_contents($errors));
    }
}

/** Sends a request to the control API. Returns its JSON as arrays, or its text. */
function control(string $base, string $method, string $path, ?array $body = null): mixed {
    $headers = ['Content-Type: application/json'];
    if ($token = getenv('RINGFENCE_TOKEN') ?: getenv('RINGFENCE_ADMIN_TOKEN')) {
        $headers[] = "Authorization: Bearer $token";
    }
    // Streams use no proxy: those of the environment are for the app under test.
    $options = ['method' => $method, 'header' => $headers, 'timeout' => 90, 'ignore_errors' => true];
    if ($body !== null) {
        $options['content'] = json_encode((object) $body, JSON_THROW_ON_ERROR);
    }
    $stream = @fopen("$base/control/$path", 'r', false, stream_context_create(['http' => $options]));
    if ($stream === false) {
        throw new Error("no server answers at $base");
    }
    $text = stream_get_contents($stream);
    $lines = stream_get_meta_data($stream)['wrapper_data'];
    fclose($stream);
    $isJSON = preg_grep('~^content-type: application/json~i', $lines) !== [];
    $said = $isJSON ? json_decode($text, true, 512, JSON_THROW_ON_ERROR) : $text;
    if ((int) explode(' ', $lines[0])[1] >= 400) {
        throw new Error($isJSON ? $said['error'] : trim($text));
    }
    return $said;
}

/** One test's own providers, phones, clock and failures. */
final class Sandbox {
    public readonly string $name;
    /** The base URL for SDKs. It selects this sandbox. */
    public readonly string $url;
    /** What clients sign in with, by provider: `credentials['twilio']['authToken']`. */
    public readonly array $credentials;
    private array $repairs = [];
    private array $before = [];
    private ?string $files = null;
    private ?Webhooks $webhooks = null;

    /**
     * `clock`, such as 2026-01-05T10:20:30Z, freezes its clock at this time. `seed` is its random seed: with the same
     * one, the codes are the same. `seeds` are the names of its initial data.
     */
    public function __construct(?string $test = null, ?string $clock = null, ?int $seed = null, ?array $seeds = null) {
        $body = ['ttl' => '1h', 'clock' => $clock, 'entropySeed' => $seed, 'seeds' => $seeds];
        $made = control(Server::url(), 'POST', 'sandboxes', array_filter($body, fn ($value) => $value !== null));
        $this->name = $made['name'];
        $this->url = $made['urls']['prefixed'];
        $this->credentials = $made['credentials'];
        if ($test !== null) {
            $this->control('POST', 'tests', ['name' => substr($test, 0, 300)]);
        }
    }

    /** Sends a request to /control/PATH of this sandbox, for what has no method here. */
    public function control(string $method, string $path, ?array $body = null, array $query = []): mixed {
        $query = http_build_query($query);
        return control($this->url, $method, $path . ($query === '' ? '' : "?$query"), $body);
    }

    /**
     * The newest code on this phone or in this mailbox. Waits for it, up to `within` seconds. `pattern` finds it in a
     * text: a regular expression, without delimiters, whose first group, or match, is the code.
     */
    public function code(
        string $to, ?string $provider = null, ?string $channel = null, ?string $pattern = null, float $within = 5
    ): string {
        $query = ['wait' => (int) ceil($within), 'provider' => $provider, 'channel' => $channel, 'pattern' => $pattern];
        return trim($this->control('GET', 'inbox/' . rawurlencode($to) . '/latest/code', null, $query));
    }

    /** The newest messages on a phone, oldest first, at most 1000. */
    public function messages(string $to): array {
        return $this->control('GET', 'inbox/' . rawurlencode($to), null, ['limit' => 1000])['messages'];
    }

    /** Moves the clock by a duration such as `10m1s`. All work that is due is done when it returns. */
    public function advance(string $duration): void {
        $clock = $this->control('POST', 'clock', ['advance' => $duration], ['wait' => 60]);
        while (isset($clock['towards'])) {
            $clock = $this->control('GET', 'clock', null, ['wait' => 60]);
        }
    }

    /** Lets something fail from now on, such as `text-lost` or `api-503`: `ringfence failures` lists the names. */
    public function fail(string $failure, ?string $to = null, ?string $provider = null, ?int $times = null): void {
        $path = 'failures/' . rawurlencode($failure);
        $made = $this->control('POST', $path, ['number' => $to, 'provider' => $provider, 'times' => $times]);
        if ($to !== null && isset($made['repair'])) {
            $this->repairs[] = [$path, $to];
        }
    }

    /** Ends all failures: removes every rule, and undoes what `fail` did to a number. */
    public function repair(): void {
        foreach (['faults', 'scenarios', 'webhooks/faults', 'chaos'] as $path) {
            $this->control('DELETE', $path);
        }
        while ([$path, $to] = array_pop($this->repairs)) {
            $this->control('DELETE', $path, null, ['number' => $to]);
        }
    }

    /** The environment variables that the providers' SDKs read: credentials, and base URLs where they do. */
    public function env(): array {
        $this->files ??= sys_get_temp_dir() . '/ringfence-' . bin2hex(random_bytes(8));
        $place = ['--url', Server::url(), '--sandbox', $this->name, '--data', $this->files];
        $command = [Server::program(), 'env', '--format', 'json', ...$place];
        $process = proc_open($command, [1 => ['pipe', 'w'], 2 => $errors = tmpfile()], $pipes);
        $printed = stream_get_contents($pipes[1]);
        if (proc_close($process) !== 0) {
            rewind($errors);
            throw new Error('ringfence env: ' . stream_get_contents($errors));
        }
        return json_decode($printed, true, 512, JSON_THROW_ON_ERROR);
    }

    /** Sets `env` in this process, also in $_ENV and $_SERVER, until the end of the test. */
    public function useEnv(): void {
        foreach ($this->env() as $name => $value) {
            $this->before[$name] ??= [getenv($name), $_ENV[$name] ?? null, $_SERVER[$name] ?? null];
            putenv("$name=$value");
            $_ENV[$name] = $_SERVER[$name] = $value;
        }
    }

    /** A receiver of webhooks on this machine, started on first use. */
    public function webhooks(): Webhooks { return $this->webhooks ??= new Webhooks($this); }

    /** What was sent, what was refused and why, in lines for people. */
    public function summary(): string { return $this->control('GET', 'explanation'); }

    public function delete(): void {
        foreach ($this->before as $name => [$value, $env, $server]) {
            putenv($value === false ? $name : "$name=$value");
            [$_ENV[$name], $_SERVER[$name]] = [$env, $server];
            if ($env === null) {
                unset($_ENV[$name]);
            }
            if ($server === null) {
                unset($_SERVER[$name]);
            }
        }
        $this->before = [];
        $this->webhooks = null;
        if ($this->files !== null && is_dir($this->files)) {
            $all = new \RecursiveIteratorIterator(
                new \RecursiveDirectoryIterator($this->files, \FilesystemIterator::SKIP_DOTS),
                \RecursiveIteratorIterator::CHILD_FIRST);
            foreach ($all as $file) {
                $file->isDir() ? rmdir($file->getPathname()) : unlink($file->getPathname());
            }
            rmdir($this->files);
        }
        control(Server::url(), 'DELETE', "sandboxes/$this->name");
    }
}

/** A webhook as it arrived. The names of headers are in lower case; a signature covers the exact bytes of the body. */
final class Webhook {
    public function __construct(
        public readonly string $url, public readonly array $headers, public readonly string $body
    ) {}

    /** The body: JSON or a form, as arrays. */
    public function data(): array {
        if (str_starts_with($this->body, '{') || str_starts_with($this->body, '[')) {
            return json_decode($this->body, true, 512, JSON_THROW_ON_ERROR);
        }
        parse_str($this->body, $form);
        return $form;
    }
}

/**
 * A receiver. Give its `url` to the provider. It is a process, which ends with this one, because PHP has no threads.
 */
final class Webhooks {
    public readonly string $url;
    private array $all = [];
    private array $new = [];
    private array $pipes = [];
    /** @var resource */
    private $process;

    public function __construct(private readonly Sandbox $sandbox) {
        $this->process = proc_open([PHP_BINARY, __FILE__], [['pipe', 'r'], ['pipe', 'w']], $this->pipes);
        $this->url = trim(fgets($this->pipes[1])) . '/webhooks';
    }

    public function __destruct() {
        array_map('fclose', $this->pipes);
        proc_close($this->process);
    }

    /** Answers the next webhooks with these statuses; the last one repeats. At first, that is 200. */
    public function answer(int ...$statuses): void { $this->ask($statuses); }

    /** What arrived so far, oldest first. */
    public function all(): array {
        $this->ask();
        return $this->all;
    }

    /** The next webhook with this text in its body; each is returned once. Waits up to `within` seconds. */
    public function wait(string $contains = '', float $within = 5): Webhook {
        for ($end = microtime(true) + $within;; usleep(20_000)) {
            $this->ask();
            foreach ($this->new as $place => $webhook) {
                if (str_contains($webhook->body, $contains)) {
                    unset($this->new[$place]);
                    return $webhook;
                }
            }
            if (microtime(true) >= $end) {
                $count = count($this->all);
                throw new Error(
                    "no new webhook with \"$contains\" came within $within s; $count arrived before{$this->why()}");
            }
        }
    }

    private function why(): string {
        if ($this->sandbox->control('GET', 'webhooks', null, ['limit' => 1])['webhooks'] === []) {
            return '; the sandbox has none: did a request or a setting name webhooks()->url?';
        }
        $isFrozen = $this->sandbox->control('GET', 'clock')['mode'] === 'frozen';
        return $isFrozen ? '; the clock stands still until you advance it' : '';
    }

    /** Tells the process how to answer, and reads what has arrived. */
    private function ask(array $statuses = []): void {
        fwrite($this->pipes[0], json_encode($statuses) . "\n");
        foreach (json_decode(fgets($this->pipes[1]), true) as [$url, $headers, $body]) {
            $this->all[] = $this->new[] = new Webhook($url, $headers, base64_decode($body));
        }
    }

    /** What the process does, until its standard input ends. */
    public static function receive(): void {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        $origin = 'http://' . stream_socket_get_name($server, false);
        echo "$origin\n";
        [$statuses, $new, $write, $except] = [[200], [], null, null];
        while (true) {
            $ready = [STDIN, $server];
            stream_select($ready, $write, $except, null);
            if (in_array(STDIN, $ready, true)) {
                if (($line = fgets(STDIN)) === false) {
                    return;
                }
                $statuses = json_decode($line) ?: $statuses;
                echo json_encode($new, JSON_THROW_ON_ERROR), "\n";
                $new = [];
            } elseif ($client = stream_socket_accept($server)) {
                stream_set_timeout($client, 5);
                [, $target] = explode(' ', fgets($client) . ' ');
                for ($headers = []; trim($line = (string) fgets($client)) !== '';) {
                    [$name, $value] = explode(':', $line, 2);
                    $headers[strtolower($name)] = trim($value);
                }
                $length = (int) ($headers['content-length'] ?? 0);
                $new[] = [$origin . $target, $headers, base64_encode((string) stream_get_contents($client, $length))];
                $status = count($statuses) > 1 ? array_shift($statuses) : $statuses[0];
                fwrite($client, "HTTP/1.1 $status \r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                fclose($client);
            }
        }
    }
}

/** A sandbox for each test of a PHPUnit\Framework\TestCase, and what happened in it if the test fails. */
trait WithSandbox {
    private ?Sandbox $ringfenceSandbox = null;

    /** This test's sandbox, made on first use. Options: see Sandbox::__construct. */
    protected function sandbox(?string $clock = null, ?int $seed = null, ?array $seeds = null): Sandbox {
        return $this->ringfenceSandbox ??= new Sandbox($this->ringfenceTest(), $clock, $seed, $seeds);
    }

    /** @after */
    #[\PHPUnit\Framework\Attributes\After]
    protected function endSandbox(): void {
        [$sandbox, $this->ringfenceSandbox] = [$this->ringfenceSandbox, null];
        // `status` is that of PHPUnit 10 and later.
        $hasFailed = method_exists($this, 'status')
            ? $this->status()->isFailure() || $this->status()->isError() : $this->hasFailed();
        if ($sandbox !== null && $hasFailed) {
            fwrite(STDERR, "\nWhat happened in the sandbox of {$this->ringfenceTest()}:\n{$sandbox->summary()}");
        }
        $sandbox?->delete();
    }

    private function ringfenceTest(): string {
        // `nameWithDataSet` is that of PHPUnit 10 and later.
        $name = method_exists($this, 'nameWithDataSet') ? $this->nameWithDataSet() : $this->getName();
        return static::class . "::$name";
    }
}

if (PHP_SAPI === 'cli' && realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    Webhooks::receive();
}
