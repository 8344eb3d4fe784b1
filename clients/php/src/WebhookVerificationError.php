<?php

declare(strict_types=1);

namespace Assay;

/** Thrown by `Webhook::verify`. Answer with `$status`, and do nothing else. No text contains a secret. */
final class WebhookVerificationError extends \RuntimeException
{
    private const STATUSES = ['too_large' => 413, 'bad_secret' => 500, 'bad_account' => 500, 'unsupported' => 500, 'duplicate' => 200];

    /** What to answer: 200 if it was handled before, 400 or 413 if it is refused, 500 if the receiver is set up wrongly. */
    public readonly int $status;
    /** True if Assay sent it and it was handled before: then there is nothing left to do. */
    public readonly bool $isDuplicate;

    /** @param 'missing_header'|'bad_header'|'bad_timestamp'|'too_old'|'too_new'|'bad_signature'|'too_large'|'malformed_body'|'bad_secret'|'bad_account'|'other_account'|'unsupported'|'duplicate' $errorCode */
    public function __construct(public readonly string $errorCode, string $message)
    {
        $this->status = self::STATUSES[$errorCode] ?? 400;
        $this->isDuplicate = $errorCode === 'duplicate';
        parent::__construct($message, $this->status);
    }
}
