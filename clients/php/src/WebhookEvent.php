<?php

declare(strict_types=1);

namespace Assay;

/** An event whose signature was verified. `docs/webhooks.md` of Assay lists the types and what is in their data. */
final class WebhookEvent implements \JsonSerializable
{
    /**
     * @internal
     * @param string $id `evt_…`, the same on every attempt to deliver it: handle each id once.
     * @param string $type Such as `payout.paid`. More may be added.
     * @param string $timestamp When it happened.
     * @param int $sequence Counts the events of your account without a gap; they may arrive in another order.
     * @param array<string, mixed> $data What it is about.
     * @param \stdClass $sent The data, with `{}` where Assay sent `{}`.
     * @param string|null $account Whose event it is. Null: an installation sent it that does not say so yet.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly string $timestamp,
        public readonly int $sequence,
        public readonly array $data,
        private readonly \stdClass $sent,
        public readonly ?string $account,
    ) {
    }

    public function jsonSerialize(): object
    {
        return (object) ['id' => $this->id, 'type' => $this->type, 'timestamp' => $this->timestamp, 'sequence' => $this->sequence, 'account' => $this->account, 'data' => $this->sent];
    }
}
