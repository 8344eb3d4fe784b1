<?php

declare(strict_types=1);

namespace Assay;

/**
 * Makes one attempt, with cURL or with a PSR-18 client. Redirects are not followed: they would send the key to another
 * host.
 *
 * @internal
 */
final class Transport
{
    /** More than the service ever sends; a larger body comes from something else. */
    private const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
    private const HEADER_BYTES_MAX = 256 * 1024;
    private const CHUNK_BYTES = 64 * 1024;

    private ?\CurlHandle $handle = null;

    /** @param \Closure(): string $apiKey A closure, because `var_export` shows private properties, but not what a closure holds. */
    public function __construct(
        private readonly \Closure $apiKey,
        private readonly string $baseUrl,
        private readonly int $timeoutMs,
        private readonly ?object $httpClient,
        private readonly ?object $requestFactory,
        private readonly ?object $streamFactory,
    ) {
    }

    /** @return array{baseUrl: string} */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /** @throws AssayError if there is no complete answer. */
    public function send(Request $request, bool $isRetry): Response
    {
        return $this->httpClient === null ? $this->sendWithCurl($request, $isRetry) : $this->sendWithPsr18($request);
    }

    /** @return array<string, string> */
    private function headersOf(Request $request): array
    {
        return ['X-API-Key' => ($this->apiKey)(), 'User-Agent' => 'assay-php/' . Assay::VERSION] + $request->headers;
    }

    private function sendWithCurl(Request $request, bool $isRetry): Response
    {
        $handle = $this->handle ??= curl_init();
        [$headers, $headerBytes, $body] = [[], 0, ''];
        curl_reset($handle);
        curl_setopt_array($handle, [
            CURLOPT_URL => $this->baseUrl . $request->path,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_CUSTOMREQUEST => $request->method,
            // Without "Expect:", cURL waits a second for "100 Continue" before it sends a larger body.
            CURLOPT_HTTPHEADER => ['Expect:', ...self::linesOf($this->headersOf($request))],
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_CONNECTTIMEOUT_MS => $this->timeoutMs,
            // From the look-up of the name to the last byte of the body.
            CURLOPT_TIMEOUT_MS => $this->timeoutMs,
            // cURL repeats a request by itself if a connection that it kept is dead: retries are ours to count.
            CURLOPT_FRESH_CONNECT => $isRetry,
            CURLOPT_HEADERFUNCTION => function (\CurlHandle $_, string $line) use (&$headers, &$headerBytes): int {
                // Each answer begins with its status line; those with status 1xx come before the one that counts.
                if (str_starts_with($line, 'HTTP/')) {
                    $headers = [];
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $headers[strtolower(trim($name))][] = trim($value);
                }
                $headerBytes += strlen($line);
                return $headerBytes > self::HEADER_BYTES_MAX ? 0 : strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function (\CurlHandle $_, string $chunk) use (&$body): int {
                $body .= $chunk;
                return strlen($body) > self::ANSWER_BYTES_MAX ? 0 : strlen($chunk);
            },
        ] + ($request->body === null ? [] : [CURLOPT_POSTFIELDS => $request->body]));
        if (curl_exec($handle) === false) {
            throw $this->failure(curl_errno($handle) === CURLE_OPERATION_TIMEDOUT, curl_error($handle));
        }
        $joined = array_map(static fn (array $values): string => implode(', ', $values), $headers);
        return new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $joined, $body);
    }

    private function sendWithPsr18(Request $request): Response
    {
        $startedMs = hrtime(true) / 1e6;
        $isLate = fn (): bool => hrtime(true) / 1e6 - $startedMs >= $this->timeoutMs;
        $message = $this->requestFactory->createRequest($request->method, $this->baseUrl . $request->path);
        foreach ($this->headersOf($request) as $name => $value) {
            $message = $message->withHeader($name, $value);
        }
        if ($request->body !== null) {
            $message = $message->withBody($this->streamFactory->createStream($request->body));
        }
        try {
            $response = $this->httpClient->sendRequest($message);
            [$stream, $body] = [$response->getBody(), ''];
            while (!$stream->eof()) {
                $body .= $stream->read(self::CHUNK_BYTES);
                if (strlen($body) > self::ANSWER_BYTES_MAX || $isLate()) {
                    $stream->close();
                    throw $this->failure($isLate(), 'The answer is too large or too slow.');
                }
            }
        } catch (\Psr\Http\Client\ClientExceptionInterface | \RuntimeException $error) {
            // Not as the previous error: it holds the request with its key.
            throw $error instanceof AssayError ? $error : $this->failure($isLate(), $error::class . ': ' . $error->getMessage());
        }
        $headers = [];
        foreach ($response->getHeaders() as $name => $values) {
            $headers[strtolower((string) $name)] = implode(', ', $values);
        }
        return new Response($response->getStatusCode(), $headers, $body);
    }

    private function failure(bool $isTimeout, string $why): AssayError
    {
        $message = $isTimeout ? "No complete answer within {$this->timeoutMs} ms." : 'The service could not be reached.';
        return new AssayError($message, $isTimeout ? 'timeout' : 'network_failure', 0, true, previous: new \RuntimeException($why));
    }

    /**
     * @param array<string, string> $headers
     * @return list<string>
     */
    private static function linesOf(#[\SensitiveParameter] array $headers): array
    {
        return array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($headers), $headers);
    }
}
