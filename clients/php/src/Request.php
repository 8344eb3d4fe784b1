<?php

declare(strict_types=1);

namespace Assay;

/**
 * One request, the same for all attempts. It has no key: stack traces show arguments.
 *
 * @internal
 */
final class Request
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly ?string $body,
        public readonly array $headers,
    ) {
    }
}
