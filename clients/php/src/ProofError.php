<?php

declare(strict_types=1);

namespace Assay;

/** Thrown by `Proof::verify`. Match on `$errorCode`; the message is a sentence for people. */
final class ProofError extends \RuntimeException
{
    /** @param 'malformed_key'|'malformed_note'|'malformed_checkpoint'|'malformed_proof'|'unknown_log'|'bad_signature'|'other_receipt'|'not_included'|'no_ed25519' $errorCode */
    public function __construct(public readonly string $errorCode, string $message)
    {
        parent::__construct($message);
    }
}
