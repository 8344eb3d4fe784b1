<?php

declare(strict_types=1);

namespace Assay;

/** What a proof shows: that the log has the receipt's entry, and who has signed that. */
final class VerifiedProof
{
    /**
     * @param string $accountId Whose entry it is.
     * @param int $seq Number of the entry in the ledger.
     * @param string $hash Hash of the entry.
     * @param string $origin Name of the log.
     * @param int $index Place of the entry in the log, from 0.
     * @param int $size Entries in the log.
     * @param list<array{name: string, atMs: int}> $witnessedBy Each witness once, with the latest time at which it says
     *   that it saw the log.
     */
    public function __construct(
        public readonly string $accountId,
        public readonly int $seq,
        public readonly string $hash,
        public readonly string $origin,
        public readonly int $index,
        public readonly int $size,
        public readonly array $witnessedBy,
    ) {
    }
}
