<?php

declare(strict_types=1);

namespace Assay;

/**
 * Client of one Assay installation, for servers. Create one and share it: it keeps its connection.
 *
 * Every method retries retryable errors with exponential back-off and full jitter, and throws an `AssayError` when no
 * attempt succeeds. All attempts of a billable call carry the same idempotency key, so that it is billed at most once.
 *
 * These arguments mean the same in every method:
 * - `onUnavailable`: the value to return, null included, instead of throwing an error that a retry might have changed.
 *   Other errors, such as a wrong key, are always thrown.
 * - `idempotencyKey`: 1 to 255 visible ASCII characters that identify a billable call. Pass your own, such as an order
 *   number, to make the call idempotent across restarts of your server too. Default: a new random key.
 * - `sessionToken`: token of a session that the service has measured itself. Null and "" mean that there is none. A
 *   report of the collector has its own token; this one is used instead.
 * - `testScenario`: forces an answer; works with test keys only.
 *
 * @phpstan-import-type SessionData from Types
 * @phpstan-import-type SessionReport from Types
 * @phpstan-import-type Prediction from Types
 * @phpstan-import-type Score from Types
 * @phpstan-import-type Analysis from Types
 * @phpstan-import-type TrafficWindow from Types
 * @phpstan-import-type Traffic from Types
 * @phpstan-import-type Session from Types
 * @phpstan-import-type Outcome from Types
 * @phpstan-import-type RecordedOutcome from Types
 * @phpstan-import-type Usage from Types
 * @phpstan-import-type UsageWindow from Types
 * @phpstan-import-type Statement from Types
 * @phpstan-import-type AdRequest from Types
 * @phpstan-import-type TestScenario from Types
 */
final class Assay
{
    public const VERSION = '0.1.0';

    private const RETRYABLE_STATUSES = [429, 500, 502, 503, 504];
    private const FIRST_WAIT_MS_MAX = 250;
    private const WAIT_MS_MAX = 8_000;
    private const MESSAGE_CHARACTERS_MAX = 500;
    private const MS_MAX = 2_147_483_647;
    private const ATTEMPTS_BOUND = 100;

    private readonly Transport $transport;
    private readonly \Closure $nowMs;
    private readonly \Closure $waitMs;
    private readonly \Closure $random;

    /**
     * @param string $apiKey A live or a test key. Keep it on your server.
     * @param string $baseUrl Base URL of the service, for example `https://assay.example.com`.
     * @param int $timeoutMs Time limit of one attempt, in milliseconds, from the connection to the end of the answer.
     * @param int $attemptsMax Maximum number of attempts per call, including the first; 1 disables retries.
     * @param int $totalMsMax No attempt of a call starts later than this many milliseconds after the first.
     * @param \Psr\Http\Client\ClientInterface|null $httpClient Makes the requests instead of cURL. Its own time limit
     *   applies until it returns an answer, and it must not follow redirects.
     * @param \Psr\Http\Message\RequestFactoryInterface|null $requestFactory Required with `httpClient`.
     * @param \Psr\Http\Message\StreamFactoryInterface|null $streamFactory Default: `requestFactory`, if it is both.
     * @param (\Closure(): float)|null $nowMs Replacement for the monotonic clock, for tests.
     * @param (\Closure(float): void)|null $waitMs Replacement for waiting, for tests.
     * @param (\Closure(): float)|null $random Replacement for chance, for tests: from 0 (inclusive) to 1 (exclusive).
     * @throws \InvalidArgumentException if an argument is invalid. No message contains the key.
     */
    public function __construct(
        #[\SensitiveParameter] string $apiKey,
        string $baseUrl,
        int $timeoutMs = 10_000,
        private readonly int $attemptsMax = 5,
        private readonly int $totalMsMax = 30_000,
        ?object $httpClient = null,
        ?object $requestFactory = null,
        ?object $streamFactory = null,
        ?\Closure $nowMs = null,
        ?\Closure $waitMs = null,
        ?\Closure $random = null,
    ) {
        // Before PHP 8.2, which knows SensitiveParameter, stack traces show the current value of an argument.
        [$key, $apiKey] = [$apiKey, '…'];
        self::refuseUnless(preg_match('/^[\x21-\x7e]{1,255}\z/', $key) === 1, 'apiKey must be a key from the dashboard: letters, digits and _, without spaces or line breaks');
        $isUrl = preg_match('~^https?://[^/?#@\\\\\x00-\x20\x7f-\xff]+(/[^?#\\\\\x00-\x20\x7f-\xff]*)?\z~i', $baseUrl) === 1 && is_string(parse_url($baseUrl, PHP_URL_HOST));
        self::refuseUnless($isUrl, 'baseUrl must be a URL such as https://assay.example.com');
        foreach (['timeoutMs' => [$timeoutMs, self::MS_MAX], 'attemptsMax' => [$attemptsMax, self::ATTEMPTS_BOUND], 'totalMsMax' => [$totalMsMax, self::MS_MAX]] as $name => [$value, $max]) {
            self::refuseUnless($value >= 1 && $value <= $max, "$name must be a whole number from 1 to $max");
        }
        $streamFactory ??= $requestFactory;
        $isComplete = $httpClient === null || (method_exists($httpClient, 'sendRequest') && $requestFactory !== null && method_exists($requestFactory, 'createRequest') && method_exists($streamFactory, 'createStream'));
        self::refuseUnless($isComplete, 'httpClient must be a PSR-18 client, together with the PSR-17 factories of requests and streams');
        $this->transport = new Transport(static fn (): string => $key, rtrim($baseUrl, '/'), $timeoutMs, $httpClient, $requestFactory, $streamFactory);
        $this->nowMs = $nowMs ?? static fn (): float => hrtime(true) / 1e6;
        $this->waitMs = $waitMs ?? self::wait(...);
        $this->random = $random ?? static fn (): float => random_int(0, PHP_INT_MAX >> 10) / (1 << 53);
    }

    /** @return array{transport: Transport} */
    public function __debugInfo(): array
    {
        return ['transport' => $this->transport];
    }

    /**
     * Scores a session. Billable. Takes its signals, or the report that the collector posted to your server, of which
     * only `session_data` and `session_token` are sent: with a token the signals may be incomplete, or `[]`.
     *
     * @template F
     * @param SessionData|SessionReport $session
     * @param F|OnUnavailable $onUnavailable
     * @param TestScenario|null $testScenario
     * @return ($onUnavailable is OnUnavailable ? Answer<Prediction> : Answer<Prediction>|F)
     * @throws AssayError
     */
    public function predict(array $session, mixed $onUnavailable = OnUnavailable::Throw, ?string $idempotencyKey = null, ?string $sessionToken = null, ?string $testScenario = null): mixed
    {
        return $this->bill('/api/ml/predict', self::scoringRequest($session, $sessionToken), self::readVerdict(...), $onUnavailable, $idempotencyKey, $testScenario);
    }

    /**
     * Scores a session like `predict`, and returns the verdict in its shorter shape. Billable.
     *
     * @template F
     * @param SessionData|SessionReport $session
     * @param F|OnUnavailable $onUnavailable
     * @param TestScenario|null $testScenario
     * @return ($onUnavailable is OnUnavailable ? Answer<Score> : Answer<Score>|F)
     * @throws AssayError
     */
    public function score(array $session, mixed $onUnavailable = OnUnavailable::Throw, ?string $idempotencyKey = null, ?string $sessionToken = null, ?string $testScenario = null): mixed
    {
        return $this->bill('/api/ml/score', self::scoringRequest($session, $sessionToken), self::readVerdict(...), $onUnavailable, $idempotencyKey, $testScenario);
    }

    /**
     * Scores a session like `predict`, and explains the score signal by signal. Billable.
     *
     * @template F
     * @param SessionData|SessionReport $session
     * @param F|OnUnavailable $onUnavailable
     * @param TestScenario|null $testScenario
     * @return ($onUnavailable is OnUnavailable ? Answer<Analysis> : Answer<Analysis>|F)
     * @throws AssayError
     */
    public function analyze(array $session, mixed $onUnavailable = OnUnavailable::Throw, ?string $idempotencyKey = null, ?string $sessionToken = null, ?string $testScenario = null): mixed
    {
        return $this->bill('/api/ml/analyze', self::scoringRequest($session, $sessionToken), self::readVerdict(...), $onUnavailable, $idempotencyKey, $testScenario);
    }

    /**
     * Summarizes your own sessions in a time window, the last seven days by default. Billable.
     *
     * @template F
     * @param TrafficWindow $window
     * @param F|OnUnavailable $onUnavailable
     * @param TestScenario|null $testScenario
     * @return ($onUnavailable is OnUnavailable ? Answer<Traffic> : Answer<Traffic>|F)
     * @throws AssayError
     */
    public function analyzeTraffic(array $window = [], mixed $onUnavailable = OnUnavailable::Throw, ?string $idempotencyKey = null, ?string $testScenario = null): mixed
    {
        return $this->bill('/api/servicescore/analyze', Json::object($window), self::readBody(...), $onUnavailable, $idempotencyKey, $testScenario);
    }

    /**
     * Requests an ad to show. Free. If there is none, `ad` is null and `noFillReason` says why.
     *
     * @template F
     * @param AdRequest $request
     * @param F|OnUnavailable $onUnavailable
     * @param TestScenario|null $testScenario
     * @return ($onUnavailable is OnUnavailable ? AdResult : AdResult|F)
     * @throws AssayError
     */
    public function requestAd(array $request = [], mixed $onUnavailable = OnUnavailable::Throw, ?string $testScenario = null): mixed
    {
        $read = static function (Response $response, Meta $meta): AdResult {
            $isFilled = $response->status === 200;
            return new AdResult($isFilled ? self::readBody($response, $meta) : null, $isFilled ? null : $response->headers['assay-no-fill'] ?? 'unknown', $meta);
        };
        if (isset($request['user_context'])) {
            $request['user_context'] = Json::object($request['user_context']);
        }
        return $this->send('POST', '/api/ads/request', Json::object($request), $read, $onUnavailable, $testScenario);
    }

    /**
     * Reads a scored session. Free.
     *
     * @template F
     * @param F|OnUnavailable $onUnavailable
     * @param TestScenario|null $testScenario
     * @return ($onUnavailable is OnUnavailable ? Answer<Session> : Answer<Session>|F)
     * @throws AssayError
     */
    public function session(string $sessionId, mixed $onUnavailable = OnUnavailable::Throw, ?string $testScenario = null): mixed
    {
        return $this->send('GET', '/api/sessions/' . self::encodePart($sessionId), null, self::readVerdict(...), $onUnavailable, $testScenario);
    }

    /**
     * Reports how a scored session ended; the last report counts. Free.
     *
     * @template F
     * @param Outcome $outcome
     * @param F|OnUnavailable $onUnavailable
     * @param TestScenario|null $testScenario
     * @return ($onUnavailable is OnUnavailable ? Answer<RecordedOutcome> : Answer<RecordedOutcome>|F)
     * @throws AssayError
     */
    public function reportOutcome(string $sessionId, string $outcome, mixed $onUnavailable = OnUnavailable::Throw, ?string $testScenario = null): mixed
    {
        return $this->send('POST', '/api/sessions/' . self::encodePart($sessionId) . '/outcome', ['outcome' => $outcome], self::readBody(...), $onUnavailable, $testScenario);
    }

    /**
     * Your live calls in a time window and what they earned, by default in the last 30 days. Free.
     *
     * @template F
     * @param UsageWindow $window
     * @param F|OnUnavailable $onUnavailable
     * @param TestScenario|null $testScenario
     * @return ($onUnavailable is OnUnavailable ? Answer<Usage> : Answer<Usage>|F)
     * @throws AssayError
     */
    public function usage(array $window = [], mixed $onUnavailable = OnUnavailable::Throw, ?string $testScenario = null): mixed
    {
        $query = http_build_query($window, '', '&', PHP_QUERY_RFC3986);
        return $this->send('GET', $query === '' ? '/api/usage' : "/api/usage?$query", null, self::readBody(...), $onUnavailable, $testScenario);
    }

    /**
     * The statement of a month, `YYYY-MM`. Free.
     *
     * @template F
     * @param F|OnUnavailable $onUnavailable
     * @param TestScenario|null $testScenario
     * @return ($onUnavailable is OnUnavailable ? Answer<Statement> : Answer<Statement>|F)
     * @throws AssayError
     */
    public function statement(string $month, mixed $onUnavailable = OnUnavailable::Throw, ?string $testScenario = null): mixed
    {
        return $this->send('GET', '/api/statements/' . self::encodePart($month), null, self::readBody(...), $onUnavailable, $testScenario);
    }

    /**
     * The proof that a ledger entry is in the log, for `Proof::verify`. Free. An entry is logged within a
     * minute; until then it is a 404.
     *
     * @template F
     * @param int $seq Number of the entry: what a receipt has before the full stop.
     * @param F|OnUnavailable $onUnavailable
     * @return ($onUnavailable is OnUnavailable ? Answer<array{proof: string}> : Answer<array{proof: string}>|F)
     * @throws AssayError
     */
    public function proof(int $seq, mixed $onUnavailable = OnUnavailable::Throw, ?string $testScenario = null): mixed
    {
        $read = static fn (Response $response, Meta $meta): Answer => new Answer(['proof' => $response->body], $meta, '{}');
        return $this->send('GET', "/api/ledger/proof?seq=$seq", null, $read, $onUnavailable, $testScenario, ['Accept' => 'text/plain']);
    }

    private function bill(string $path, mixed $body, \Closure $read, mixed $onUnavailable, ?string $idempotencyKey, ?string $testScenario): mixed
    {
        $key = $idempotencyKey ?? self::randomUuid();
        self::refuseUnless(preg_match('/^[\x21-\x7e]{1,255}\z/', $key) === 1, 'idempotencyKey must consist of 1 to 255 visible ASCII characters');
        return $this->send('POST', $path, $body, $read, $onUnavailable, $testScenario, ['Idempotency-Key' => $key]);
    }

    /** @param array<string, string> $headers */
    private function send(string $method, string $path, mixed $body, \Closure $read, mixed $onUnavailable, ?string $testScenario, array $headers = []): mixed
    {
        if ($testScenario !== null) {
            self::refuseUnless(preg_match('/^[\x21-\x7e]{1,255}\z/', $testScenario) === 1, 'testScenario must consist of visible ASCII characters');
            $headers['Assay-Test-Scenario'] = $testScenario;
        }
        $headers += ['Accept' => 'application/json'] + ($body === null ? [] : ['Content-Type' => 'application/json']);
        try {
            return $this->callWithRetries(new Request($method, $path, $body === null ? null : Json::encode($body), $headers), $read);
        } catch (AssayError $error) {
            if (!$error->isRetryable || $onUnavailable === OnUnavailable::Throw) {
                throw $error;
            }
            return $onUnavailable;
        }
    }

    /** Every attempt is the same request with the same idempotency key. */
    private function callWithRetries(Request $request, \Closure $read): mixed
    {
        $startedMs = ($this->nowMs)();
        for ($attempt = 1; ; $attempt += 1) {
            try {
                return self::attempt($this->transport, $request, $read, $attempt);
            } catch (AssayError $error) {
                $jitterMsMax = min(self::WAIT_MS_MAX, self::FIRST_WAIT_MS_MAX * 2 ** ($attempt - 1));
                $waitMs = ($error->retryAfterSeconds ?? 0) * 1_000 + floor(($this->random)() * $jitterMsMax);
                $isOutOfTime = ($this->nowMs)() - $startedMs + $waitMs > $this->totalMsMax;
                if (!$error->isRetryable || $attempt >= $this->attemptsMax || $isOutOfTime) {
                    throw new AssayError($error->getMessage(), $error->errorCode, $error->status, $error->isRetryable, $error->requestId, $error->retryAfterSeconds, $attempt, $request->headers['Idempotency-Key'] ?? null, $error->getPrevious());
                }
                ($this->waitMs)($waitMs);
            }
        }
    }

    private static function attempt(Transport $transport, Request $request, \Closure $read, int $attempt): mixed
    {
        $response = $transport->send($request, $attempt > 1);
        $headers = $response->headers;
        if ($response->status !== 200 && $response->status !== 204) {
            throw self::readFailure($response);
        }
        return $read($response, new Meta($headers['x-request-id'] ?? null, $headers['assay-receipt'] ?? null, ($headers['idempotent-replayed'] ?? null) === 'true', $attempt));
    }

    private static function readFailure(Response $response): AssayError
    {
        [$status, $headers] = [$response->status, $response->headers];
        $body = Json::decodeFields($response->body);
        $code = is_string($body['error'] ?? null) ? $body['error'] : null;
        $message = "The answer had status $status" . ($code === null ? ' and did not come from Assay.' : '.');
        if ($code !== null && is_string($body['message'] ?? null)) {
            preg_match('/^.{0,' . self::MESSAGE_CHARACTERS_MAX . '}/us', $body['message'], $match);
            $message = $match[0];
        }
        $inBody = $body['retry_after'] ?? null;
        $inHeader = preg_match('/^\d{1,9}\z/', $headers['retry-after'] ?? '') === 1 ? (int) $headers['retry-after'] : null;
        $seconds = is_int($inBody) || is_float($inBody) ? $inBody : $inHeader;
        $isRetryable = in_array($status, self::RETRYABLE_STATUSES, true) || ($status === 409 && $code === 'idempotency_in_progress');
        return new AssayError($message, $code ?? 'unexpected_status', $status, $isRetryable, $headers['x-request-id'] ?? null, $seconds !== null && $seconds >= 0 && is_finite($seconds) ? $seconds : null);
    }

    /** @return Answer<array<string, mixed>> */
    private static function readBody(Response $response, Meta $meta): Answer
    {
        $body = $response->status === 204 ? [] : Json::decodeFields($response->body);
        // The call may have been billed, but a retry with the same key returns the same answer: retrying is safe.
        return new Answer($body ?? throw new AssayError('The answer is not a JSON object.', 'unreadable_answer', $response->status, true, $meta->requestId), $meta, $response->body);
    }

    /** @return Answer<array<string, mixed>> The confidence under both of its names, with either shape of the verdict. */
    private static function readVerdict(Response $response, Meta $meta): Answer
    {
        $body = self::readBody($response, $meta)->body;
        $score = $body['service_score'] ?? null;
        $confidence = $body['confidence'] ?? $body['attribution_confidence'] ?? null;
        $isScore = is_int($score) || (is_float($score) && is_finite($score));
        if (!$isScore || !in_array($body['trust_level'] ?? null, ['high', 'medium', 'low'], true) || !(is_int($confidence) || is_float($confidence))) {
            throw new AssayError('The answer does not contain a verdict.', 'unreadable_answer', $response->status, true, $meta->requestId);
        }
        // An installation that does not know attested sessions answers nothing about them: it has measured nothing.
        $fields = ['confidence' => $confidence, 'attribution_confidence' => $confidence] + $body + ['attestation' => 'asserted', 'attested' => [], 'attestation_issues' => []];
        return new Answer($fields, $meta, $response->body);
    }

    /**
     * The request has only the two documented fields. What is wrong with them, the service says.
     *
     * @param array<string, mixed> $session
     * @return array<string, mixed>
     */
    private static function scoringRequest(array $session, ?string $sessionToken): array
    {
        $report = array_key_exists('session_data', $session) ? $session : ['session_data' => $session];
        $isNone = static fn (mixed $token): bool => in_array($token, [null, '', false, 0], true);
        $token = $isNone($sessionToken) ? $report['session_token'] ?? null : $sessionToken;
        return ['session_data' => Json::object($report['session_data'])] + ($isNone($token) ? [] : ['session_token' => $token]);
    }

    private static function refuseUnless(bool $isValid, string $message): void
    {
        if (!$isValid) {
            throw new \InvalidArgumentException($message);
        }
    }

    private static function encodePart(string $text): string
    {
        return strtr(rawurlencode($text), ['%21' => '!', '%27' => "'", '%28' => '(', '%29' => ')', '%2A' => '*']);
    }

    private static function randomUuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    /** A signal that the process handles ends `time_nanosleep` early. */
    private static function wait(float $ms): void
    {
        $endMs = hrtime(true) / 1e6 + $ms;
        while (($leftMs = $endMs - hrtime(true) / 1e6) > 0) {
            time_nanosleep(intdiv((int) $leftMs, 1_000), (int) (fmod($leftMs, 1_000) * 1e6));
        }
    }
}
