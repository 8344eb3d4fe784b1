<?php

declare(strict_types=1);

namespace Assay;

/** Verifies webhooks. Needs no client and no key. */
final class Webhook
{
    private const SECRETS_MAX = 20;
    private const SIGNATURES_MAX = 20;
    private const SIGNATURE_CHARACTERS_MAX = 4_096;
    private const ID_CHARACTERS_MAX = 256;
    private const SAFE_INTEGER_MAX = 2 ** 53 - 1;

    /**
     * Verifies a webhook and returns its event.
     *
     * @param string $payload The raw body, as it arrived: `file_get_contents('php://input')`.
     * @param array<string, string|list<string>> $headers Of the request, whatever the case of their names: `getallheaders()`.
     * @param string|list<string> $secrets The endpoint's secret (`whsec_…`), while it is being rotated both, or the
     *   installation's public key (`whpk_…`).
     * @param int|float $toleranceSeconds How far the time of the signature may be from now, into the past and the future.
     * @param int $payloadBytesMax Bodies that are larger are refused.
     * @param (callable(string): bool)|null $seen Whether an event with this id has been handled: then it throws
     *   `duplicate`. Asked after the signature was verified.
     * @param (callable(): (int|float))|null $nowMs Replacement for the clock, for tests.
     * @param string|null $account Whose events are expected (`acct_…`, as the dashboard shows it): others are refused.
     *   Required with a public key (`whpk_…`), which signs the events of all accounts.
     * @throws WebhookVerificationError
     */
    public static function verify(
        string $payload,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        int|float $toleranceSeconds = 300,
        int $payloadBytesMax = 65_536,
        ?callable $seen = null,
        ?callable $nowMs = null,
        ?string $account = null,
    ): WebhookEvent {
        $verifiers = self::readSecrets($secrets);
        // The public key is the same for all accounts, so it says nothing of whose event it is.
        $publicKeys = array_filter((array) $secrets, static fn (string $secret): bool => str_starts_with($secret, 'whpk_'));
        $lacksAccount = $account === null ? $publicKeys !== [] : $account === '';
        self::refuseIf($lacksAccount, 'bad_account', 'with a public key, say whose events are expected: account, as the dashboard shows it beside the key');
        self::refuseIf(strlen($payload) > $payloadBytesMax, 'too_large', "the body has more than $payloadBytesMax bytes");
        $id = self::readHeader(self::valuesOf($headers, 'webhook-id'), 'webhook-id', self::ID_CHARACTERS_MAX);
        self::refuseIf(preg_match('/^[!-\-\/-~]+\z/', $id) !== 1, 'bad_header', 'webhook-id contains a full stop, a space or a character outside of ASCII');
        $time = self::readHeader(self::valuesOf($headers, 'webhook-timestamp'), 'webhook-timestamp', self::SIGNATURE_CHARACTERS_MAX);
        self::refuseIf(preg_match('/^\d{1,12}\z/', $time) !== 1, 'bad_timestamp', 'webhook-timestamp is not a number of seconds');
        $aheadSeconds = (int) $time - (int) floor(($nowMs === null ? microtime(true) * 1_000 : $nowMs()) / 1_000);
        // Not "<" and ">": a tolerance that is not a number lets nothing pass.
        self::refuseIf(!($aheadSeconds >= -$toleranceSeconds), 'too_old', "it was signed more than $toleranceSeconds seconds ago");
        self::refuseIf(!($aheadSeconds <= $toleranceSeconds), 'too_new', "it was signed more than $toleranceSeconds seconds from now");
        $joined = implode(' ', self::valuesOf($headers, 'webhook-signature'));
        $signatures = self::readSignatures(self::readHeader([$joined], 'webhook-signature', self::SIGNATURE_CHARACTERS_MAX));
        $isSigned = false;
        foreach ($verifiers as [$version, $isSignatureOf]) {
            foreach ($signatures as [$versionOfSignature, $signature]) {
                $isSigned = ($version === $versionOfSignature && $isSignatureOf($signature, "$id.$time.$payload")) || $isSigned;
            }
        }
        self::refuseIf(!$isSigned, 'bad_signature', 'no signature was made with one of the secrets for this id, time and body');
        $event = self::readEvent($payload, $id);
        $isOther = $account !== null && $event->account !== $account;
        self::refuseIf($isOther, 'other_account', 'it is genuine, but it is not an event of the account that is expected');
        self::refuseIf($seen !== null && $seen($id), 'duplicate', 'an event with this id has been handled before');
        return $event;
    }

    private static function refuseIf(bool $isWrong, string $code, string $why): void
    {
        if ($isWrong) {
            throw new WebhookVerificationError($code, $why);
        }
    }

    /**
     * @param string|list<string> $secrets
     * @return non-empty-list<array{string, \Closure(string, string): bool}> The kind of signature, and how one is verified.
     */
    private static function readSecrets(#[\SensitiveParameter] string|array $secrets): array
    {
        $list = is_string($secrets) ? [$secrets] : $secrets;
        self::refuseIf($list === [], 'bad_secret', 'there is no secret');
        self::refuseIf(count($list) > self::SECRETS_MAX, 'bad_secret', 'there are more than ' . self::SECRETS_MAX . ' secrets');
        $verifiers = [];
        foreach ($list as $secret) {
            $match = [];
            $isSecret = is_string($secret) && preg_match('~^(whsec|whpk)_([A-Za-z0-9+/]+={0,2})\z~', $secret, $match) === 1;
            $bytes = $isSecret ? self::decodeBase64($match[2]) : null;
            self::refuseIf($bytes === null, 'bad_secret', 'a secret must be whsec_ or whpk_ and base64, as it was shown');
            if ($match[1] === 'whsec') {
                self::refuseIf(strlen($bytes) < 24 || strlen($bytes) > 64, 'bad_secret', 'a secret is incomplete: whsec_ is followed by 24 to 64 bytes in base64');
                $verifiers[] = ['v1', static fn (string $signature, string $content): bool => hash_equals(hash_hmac('sha256', $content, $bytes, true), $signature)];
            } else {
                self::refuseIf(strlen($bytes) !== 32, 'bad_secret', 'a public key is incomplete: whpk_ is followed by 32 bytes in base64');
                if (function_exists('sodium_crypto_sign_verify_detached')) {
                    $verifiers[] = ['v1a', static fn (string $signature, string $content): bool => strlen($signature) === 64 && sodium_crypto_sign_verify_detached($signature, $content, $bytes)];
                }
            }
        }
        self::refuseIf($verifiers === [], 'unsupported', "ext-sodium is missing: give the endpoint's secret, whsec_…, instead of its public key");
        return $verifiers;
    }

    /**
     * @param array<string, string|list<string>> $headers
     * @return list<string> All values of a header, as they were sent.
     */
    private static function valuesOf(array $headers, string $name): array
    {
        $values = [];
        foreach ($headers as $each => $value) {
            if (strtolower((string) $each) === $name) {
                array_push($values, ...array_values((array) $value));
            }
        }
        return $values;
    }

    /** @param list<string> $values */
    private static function readHeader(array $values, string $name, int $charactersMax): string
    {
        self::refuseIf(($values[0] ?? '') === '', 'missing_header', "there is no header $name");
        self::refuseIf(count($values) > 1, 'bad_header', "the header $name is there more than once");
        self::refuseIf(strlen($values[0]) > $charactersMax, 'bad_header', "the header $name has more than $charactersMax characters");
        return $values[0];
    }

    /** @return list<array{string, string}> `v1,… v1a,…`: version and bytes. What cannot be a signature is left out. */
    private static function readSignatures(string $text): array
    {
        $signatures = [];
        // Where a header was sent twice, some servers put a comma and a space between its values.
        foreach (array_slice(preg_split('/,? +/', $text), 0, self::SIGNATURES_MAX) as $each) {
            [$version, $encoded] = explode(',', $each, 2) + [1 => null];
            $bytes = $encoded === null ? null : self::decodeBase64($encoded);
            if ($bytes !== null) {
                $signatures[] = [$version, $bytes];
            }
        }
        return $signatures;
    }

    /** As browsers decode it: spaces are skipped and padding may be missing. Null if it is not base64. */
    private static function decodeBase64(#[\SensitiveParameter] string $text): ?string
    {
        $plain = preg_replace('/[\t\n\f\r ]/', '', $text);
        $unpadded = strlen($plain) % 4 === 0 ? preg_replace('/={1,2}\z/', '', $plain) : $plain;
        $isBase64 = preg_match('~^[A-Za-z0-9+/]*\z~', $unpadded) === 1 && strlen($unpadded) % 4 !== 1;
        return $isBase64 ? base64_decode($unpadded) : null;
    }

    /** Whether the outermost object has a name twice: parsers differ about which one counts. The text is JSON. */
    private static function repeatsName(string $json): bool
    {
        $names = [];
        $depth = 0;
        if (preg_match_all('~[{}\[\]]|"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"(?=\s*+(:?))~s', $json, $tokens, PREG_SET_ORDER) === false) {
            return true;
        }
        foreach ($tokens as $token) {
            if ($token[0] === '{' || $token[0] === '[') {
                $depth++;
            } elseif ($token[0] === '}' || $token[0] === ']') {
                $depth--;
            } elseif ($depth === 1 && ($token[1] ?? '') === ':') {
                $names[] = json_decode($token[0]);
            }
        }
        return count(array_unique($names)) < count($names);
    }

    private static function readEvent(string $payload, string $id): WebhookEvent
    {
        // Json replaces what is not UTF-8; here it is refused.
        $event = preg_match('//u', $payload) === 1 ? Json::decodeFields($payload) : null;
        $sent = $event === null ? null : Json::decode($payload)->data ?? null;
        $sequence = $event['sequence'] ?? null;
        $isCount = (is_int($sequence) || (is_float($sequence) && floor($sequence) === $sequence)) && abs($sequence) <= self::SAFE_INTEGER_MAX;
        $isEvent = is_string($event['type'] ?? null) && is_string($event['timestamp'] ?? null) && $isCount && $sent instanceof \stdClass;
        $isOwned = $isEvent && (!array_key_exists('account', $event) || is_string($event['account'])) && !self::repeatsName($payload);
        self::refuseIf(!$isOwned, 'malformed_body', 'the body is signed, but is not {type, timestamp, sequence, account, data} as JSON, each once');
        return new WebhookEvent($id, $event['type'], $event['timestamp'], (int) $sequence, $event['data'], $sent, $event['account'] ?? null);
    }
}
