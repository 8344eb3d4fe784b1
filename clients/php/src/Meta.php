<?php

declare(strict_types=1);

namespace Assay;

/** Facts about the call itself. */
final class Meta
{
    /**
     * @param string|null $requestId `X-Request-Id` of the answer. Quote it when you report a problem.
     * @param string|null $receipt Receipt of the call's ledger entry, `<seq>.<hash>`; null if nothing was billed.
     * @param bool $replayed Whether this is the stored answer of an earlier call or attempt with the same idempotency key.
     * @param int $attempts Number of attempts made, including the first.
     */
    public function __construct(
        public readonly ?string $requestId,
        public readonly ?string $receipt,
        public readonly bool $replayed,
        public readonly int $attempts,
    ) {
    }
}
