<?php

// What the corpus cannot say about the PHP client. Takes the URL of a server and the name of a habit; prints what it saw.

declare(strict_types=1);

namespace Psr\Http\Client {
    // Debian's php-psr-http-client has the real ones.
    if (is_file('/usr/share/php/Psr/Http/Client/autoload.php')) {
        require '/usr/share/php/Psr/Http/Client/autoload.php';
    } else {
        interface ClientExceptionInterface extends \Throwable
        {
        }
    }
}

namespace {
    require __DIR__ . '/vendor/autoload.php';

    use Assay\Assay;
    use Assay\AssayError;

    final class Refused extends Exception implements Psr\Http\Client\ClientExceptionInterface
    {
        public function __construct(public readonly object $request)
        {
            parent::__construct('the connection closed');
        }
    }

    /** A message, its body, and the factory of both, as far as a client needs them. */
    final class Message
    {
        public function __construct(public string $method = '', public string $url = '', public int $status = 0, public array $headers = [], public string $body = '', private int $at = 0)
        {
        }

        public function createRequest(string $method, string $url): self
        {
            return new self($method, $url);
        }

        public function createStream(string $content): self
        {
            return new self(body: $content);
        }

        public function withHeader(string $name, string $value): self
        {
            return new self($this->method, $this->url, 0, [$name => $value] + $this->headers, $this->body);
        }

        public function withBody(self $stream): self
        {
            return new self($this->method, $this->url, 0, $this->headers, $stream->body);
        }

        public function getStatusCode(): int
        {
            return $this->status;
        }

        public function getHeaders(): array
        {
            return $this->headers;
        }

        public function getBody(): self
        {
            return $this;
        }

        public function eof(): bool
        {
            return $this->at >= strlen($this->body);
        }

        public function read(int $bytes): string
        {
            $this->at += $bytes;
            return substr($this->body, $this->at - $bytes, $bytes);
        }

        public function close(): void
        {
            echo "closed\n";
        }
    }

    final class Client
    {
        public function sendRequest(Message $request): Message
        {
            $lines = array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($request->headers), $request->headers);
            $http = ['method' => $request->method, 'header' => $lines, 'content' => $request->body, 'ignore_errors' => true, 'follow_location' => 0];
            $body = @file_get_contents($request->url, false, stream_context_create(['http' => $http]));
            if ($body === false || !isset($http_response_header)) {
                throw new Refused($request);
            }
            $headers = [];
            foreach (array_slice($http_response_header, 1) as $line) {
                [$name, $value] = explode(': ', $line, 2);
                $headers[$name][] = $value;
            }
            return new Message(status: (int) explode(' ', $http_response_header[0])[1], headers: $headers, body: $body);
        }
    }

    function failureOf(callable $call): Throwable
    {
        try {
            return new LogicException('it returned ' . json_encode($call()));
        } catch (Throwable $error) {
            return $error;
        }
    }

    [, $url, $habit] = $argv;
    // A constant, because a printed stack trace shows the variables of this script's own closures.
    const KEY = 'assay_test_SECRET';
    $signals = ['user_engagement' => 0.75, 'session_duration' => 180];

    switch ($habit) {
        case 'print':
            $assay = new Assay(KEY, $url, attemptsMax: 1, timeoutMs: 300);
            $errors = [failureOf(fn () => $assay->predict($signals)), failureOf(fn () => new Assay(KEY . "\n", $url))];
            foreach ([$assay, ...$errors] as $thing) {
                print_r($thing);
                var_dump($thing);
                echo json_encode($thing), $thing instanceof Throwable ? $thing : '';
            }
            var_export($assay);
            echo failureOf(fn () => serialize($assay))->getMessage();
            break;
        case 'psr':
            $assay = new Assay(KEY, $url, httpClient: new Client(), requestFactory: new Message(), waitMs: static fn () => null);
            $verdict = $assay->predict($signals);
            echo $verdict['service_score'], ' ', $verdict->meta->receipt, ' ', $verdict->meta->attempts, "\n";
            break;
        case 'psr-failure':
            $assay = new Assay(KEY, $url, attemptsMax: 1, httpClient: new Client(), requestFactory: new Message());
            $error = failureOf(fn () => $assay->usage());
            echo $error instanceof AssayError ? $error->errorCode : $error::class, "\n", print_r($error, true);
            break;
        case 'psr-incomplete':
            echo failureOf(fn () => new Assay(KEY, $url, httpClient: new Client()))::class, "\n";
            break;
        case 'wait':
            $startedMs = hrtime(true) / 1e6;
            echo (new Assay(KEY, $url))->predict($signals)->meta->attempts, ' ', hrtime(true) / 1e6 - $startedMs >= 200 ? 'waited' : 'did not wait', "\n";
            break;
        case 'answer':
            $assay = new Assay(KEY, $url);
            $verdict = $assay->predict($signals);
            echo json_encode([isset($verdict['service_score']), isset($verdict['nothing']), $verdict['nothing'], $verdict->body['of_tomorrow'], $verdict]), "\n";
            echo failureOf(function () use ($verdict): void {
                $verdict['service_score'] = 100;
            })->getMessage(), "\n";
            echo failureOf(fn () => $assay->predict(['user_engagement' => "\xff"]))::class, "\n";
            break;
    }
}
