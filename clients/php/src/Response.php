<?php

declare(strict_types=1);

namespace Assay;

/** @internal */
final class Response
{
    /** @param array<string, string> $headers By name in lower case; values of a repeated header are joined. */
    public function __construct(public readonly int $status, public readonly array $headers, public readonly string $body)
    {
    }
}
