<?php

declare(strict_types=1);

namespace Assay;

/**
 * An ad to show, or none with the reason.
 *
 * @phpstan-import-type Ad from Types
 * @phpstan-import-type NoFillReason from Types
 */
final class AdResult
{
    /**
     * @param Answer<Ad>|null $ad Null if there is none.
     * @param NoFillReason|string|null $noFillReason Why there is none; more reasons may be added. Null with an ad.
     */
    public function __construct(
        public readonly ?Answer $ad,
        public readonly ?string $noFillReason,
        public readonly Meta $meta,
    ) {
    }
}
