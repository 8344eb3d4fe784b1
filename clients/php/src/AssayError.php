<?php

declare(strict_types=1);

namespace Assay;

/**
 * Thrown when a call yields no result. Match on `$errorCode`, never on the message. `getCode()` is the status.
 *
 * Invalid arguments are an `\InvalidArgumentException` instead.
 */
final class AssayError extends \RuntimeException
{
    /**
     * @param string $errorCode Code of the service, or of this client: `network_failure`, `timeout`,
     *   `unreadable_answer` (status 200, with a body that the service would not send) or `unexpected_status` (an error
     *   status without an error code of the service, most likely from a proxy in between).
     * @param int $status HTTP status of the last answer; 0 when there was none.
     * @param string|null $requestId `X-Request-Id` of the last answer. Quote it when you report a problem.
     * @param bool $isRetryable Whether the same call may succeed later.
     * @param int|float|null $retryAfterSeconds Seconds to wait before the next call, if the service named a time.
     * @param int $attempts Number of attempts made, including the first.
     * @param string|null $idempotencyKey Key of a billable call. A call without an answer may have been billed: repeating
     *   it with this key within 24 hours returns the original answer and is not billed again.
     */
    public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly int $status,
        public readonly bool $isRetryable,
        public readonly ?string $requestId = null,
        public readonly int|float|null $retryAfterSeconds = null,
        public readonly int $attempts = 1,
        public readonly ?string $idempotencyKey = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, $status, $previous);
    }
}
