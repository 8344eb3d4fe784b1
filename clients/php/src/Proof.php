<?php

declare(strict_types=1);

namespace Assay;

/** Verifies proofs of the ledger's log (C2SP tlog-proof, tlog-checkpoint, signed-note). Makes no request. Needs ext-sodium. */
final class Proof
{
    private const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
    private const PROOF_BYTES_MAX = 512 * 1024;
    private const NOTE_BYTES_MAX = 256 * 1024;
    private const SIGNATURES_MAX = 100;
    /** The longest path of a tree whose size a 64-bit number holds. */
    private const PATH_LENGTH_MAX = 63;
    private const SAFE_INTEGER_MAX = 2 ** 53 - 1;
    private const LOG_KEY = 1;
    private const WITNESS_KEY = 4;
    /** Unicode's White_Space, by number because older PCRE does not know its name. */
    private const NOT_IN_NAMES = '/[\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}+]/u';

    /**
     * Verifies that a log that you trust has the entry of a receipt.
     *
     * @param string $proof As `Assay::proof` returns it.
     * @param string $receipt As `Meta::$receipt` has it, `<seq>.<hash>`.
     * @param list<string> $logKeys Public keys of the log, `name+id+base64`.
     * @param list<string> $witnessKeys Public keys of witnesses.
     * @throws ProofError
     * @throws \InvalidArgumentException if the receipt is not one.
     */
    public static function verify(string $proof, string $receipt, array $logKeys, array $witnessKeys = []): VerifiedProof
    {
        if (preg_match('/^([1-9][0-9]{0,14})\.([0-9a-f]{64})\z/', $receipt, $wanted) !== 1) {
            throw new \InvalidArgumentException('receipt must be the value of an Assay-Receipt header, <seq>.<hash>');
        }
        [$index, $path, $extra, $note] = self::parseProof($proof);
        $isLeaf = preg_match('/^assay-receipt-1\n([\x21-\x7e]{1,100})\n([1-9][0-9]{0,15})\n([0-9a-f]{64})\n\z/', $extra ?? '', $claimed) === 1;
        self::refuseIf(!$isLeaf || (int) $claimed[2] > self::SAFE_INTEGER_MAX, 'malformed_proof', 'The proof does not say which receipt it is for.');
        self::refuseIf([$claimed[2], $claimed[3]] !== [$wanted[1], $wanted[2]], 'other_receipt', 'The proof is for another receipt.');
        [$text, $signatures] = self::parseNote($note);
        [$origin, $size, $root] = self::parseCheckpoint($text);
        $keys = array_filter(self::parseKeys($logKeys, self::LOG_KEY), static fn (array $key): bool => $key['name'] === $origin);
        $signed = array_filter(array_map(static fn (array $key): ?int => self::signedAtSeconds($key, $text, $signatures), $keys), is_int(...));
        self::refuseIf($signed === [], 'unknown_log', 'The checkpoint is not signed by a known key of the log that it names.');
        $witnessedBy = [];
        foreach (self::parseKeys($witnessKeys, self::WITNESS_KEY) as $key) {
            $atSeconds = self::signedAtSeconds($key, $text, $signatures);
            if ($atSeconds !== null) {
                // A key under two names is one witness.
                $witnessedBy[bin2hex($key['publicKey'])] ??= ['name' => $key['name'], 'atMs' => $atSeconds * 1_000];
            }
        }
        $isIncluded = self::isIncluded(hash('sha256', "\0$extra", true), $index, $size, $root, $path);
        self::refuseIf(!$isIncluded, 'not_included', 'The proof does not lead from the receipt to the root of its checkpoint.');
        return new VerifiedProof($claimed[1], (int) $claimed[2], $claimed[3], $origin, $index, $size, array_values($witnessedBy));
    }

    private static function refuseIf(bool $isWrong, string $code, string $message): void
    {
        if ($isWrong) {
            throw new ProofError($code, $message);
        }
    }

    /** @return array{int, list<string>, string|null, string} Index, path, extra and checkpoint. */
    private static function parseProof(string $text): array
    {
        $refuseIf = static fn (bool $isWrong, string $why) => self::refuseIf($isWrong, 'malformed_proof', "The proof is malformed: $why.");
        $refuseIf(strlen($text) > self::PROOF_BYTES_MAX, 'it is too long');
        $end = strpos($text, "\n\n");
        $refuseIf($end === false, 'it has no empty line before its checkpoint');
        $lines = explode("\n", substr($text, 0, $end));
        $refuseIf(array_shift($lines) !== self::FIRST_LINE, 'its first line is not ' . self::FIRST_LINE);
        $extra = null;
        if (str_starts_with($lines[0] ?? '', 'extra ')) {
            $extra = self::decodeBase64(substr(array_shift($lines), strlen('extra ')));
            $refuseIf($extra === null, 'its extra line is not base64');
        }
        $line = array_shift($lines) ?? '';
        $index = str_starts_with($line, 'index ') ? self::parseDecimal(substr($line, strlen('index '))) : null;
        $refuseIf($index === null, 'its index is a decimal without leading zeros below 2^53');
        $refuseIf(count($lines) > self::PATH_LENGTH_MAX, 'its path is too long');
        $path = array_map(self::decodeHash(...), $lines);
        $refuseIf(in_array(null, $path, true), 'each line of its path is a SHA-256 hash in base64');
        return [$index, $path, $extra, substr($text, $end + 2)];
    }

    /** @return array{string, list<array{name: string, keyId: string, bytes: string}>} Text, with its final line feed, and signatures. */
    private static function parseNote(string $note): array
    {
        $refuseIf = static fn (bool $isWrong, string $why) => self::refuseIf($isWrong, 'malformed_note', "The signed note is malformed: $why.");
        $refuseIf(strlen($note) > self::NOTE_BYTES_MAX, 'it is too long');
        $refuseIf(!self::isPlainText($note), 'it contains a control character');
        // Empty lines may be part of the text; the last one ends it.
        $end = strrpos($note, "\n\n");
        $refuseIf($end === false || !str_ends_with($note, "\n"), 'it is text, an empty line and signatures, each of which ends with a line feed');
        $lines = explode("\n", (string) substr($note, $end + 2, -1));
        $refuseIf(count($lines) > self::SIGNATURES_MAX, 'it has too many signatures');
        $signatures = [];
        foreach ($lines as $line) {
            $parts = str_starts_with($line, '— ') ? explode(' ', substr($line, strlen('— '))) : [];
            $bytes = count($parts) === 2 && self::isKeyName($parts[0]) ? self::decodeBase64($parts[1]) : null;
            $refuseIf($bytes === null || strlen($bytes) <= 4, 'a signature is “— name base64”, with a key id of 4 bytes in front');
            $signatures[] = ['name' => $parts[0], 'keyId' => bin2hex(substr($bytes, 0, 4)), 'bytes' => substr($bytes, 4)];
        }
        return [substr($note, 0, $end + 1), $signatures];
    }

    /** @return array{string, int, string} Origin, size and root. */
    private static function parseCheckpoint(string $text): array
    {
        $lines = explode("\n", substr($text, 0, -1));
        $size = self::parseDecimal($lines[1] ?? '');
        $root = self::decodeHash($lines[2] ?? '');
        self::refuseIf(in_array('', $lines, true) || $size === null || $root === null, 'malformed_checkpoint', 'The checkpoint is malformed: it has an origin, a size below 2^53 and a root, and no empty line.');
        return [$lines[0], $size, $root];
    }

    /**
     * @param list<string> $vkeys
     * @return list<array{name: string, keyId: string, type: int, publicKey: string}>
     */
    private static function parseKeys(array $vkeys, int $type): array
    {
        $refuseIf = static fn (bool $isWrong, string $why) => self::refuseIf($isWrong, 'malformed_key', "The key cannot be used: $why.");
        return array_map(static function (string $vkey) use ($type, $refuseIf): array {
            [$name, $keyId, $encoded] = explode('+', $vkey, 3) + ['', '', ''];
            $material = self::decodeBase64($encoded);
            $refuseIf(!self::isKeyName($name) || $material === null || $material === '', 'it is a name, an id and base64, joined by plus signs');
            $refuseIf(strlen($material) !== 33, 'an Ed25519 key has 32 bytes, after one for its type');
            $refuseIf($keyId !== bin2hex(substr(hash('sha256', "$name\n$material", true), 0, 4)), 'its id is not the one of its name and bytes');
            $refuseIf(ord($material[0]) !== $type, "$name is not one for a " . ($type === self::LOG_KEY ? 'log' : 'witness'));
            return ['name' => $name, 'keyId' => $keyId, 'type' => $type, 'publicKey' => substr($material, 1)];
        }, $vkeys);
    }

    /**
     * The latest time that the key states with its signatures, 0 for a log's key, which states none; null if it has not
     * signed. Throws if a signature with its name and id is wrong.
     *
     * @param array{name: string, keyId: string, type: int, publicKey: string} $key
     * @param list<array{name: string, keyId: string, bytes: string}> $signatures
     */
    private static function signedAtSeconds(array $key, string $text, array $signatures): ?int
    {
        $latest = null;
        foreach ($signatures as ['name' => $name, 'keyId' => $keyId, 'bytes' => $bytes]) {
            if ($name !== $key['name'] || $keyId !== $key['keyId']) {
                continue;
            }
            [$atSeconds, $signature, $message] = [0, $bytes, $text];
            if ($key['type'] === self::WITNESS_KEY && strlen($bytes) === 72) {
                $atSeconds = unpack('J', $bytes)[1];
                [$signature, $message] = [substr($bytes, 8), "cosignature/v1\ntime $atSeconds\n$text"];
            }
            $isTime = $key['type'] === self::LOG_KEY || ($atSeconds > 0 && $atSeconds <= intdiv(self::SAFE_INTEGER_MAX, 1_000));
            self::refuseIf(!function_exists('sodium_crypto_sign_verify_detached'), 'no_ed25519', 'ext-sodium is missing: Ed25519 signatures cannot be verified.');
            $isRight = $isTime && strlen($signature) === 64 && sodium_crypto_sign_verify_detached($signature, $message, $key['publicKey']);
            self::refuseIf(!$isRight, 'bad_signature', "The signature of $name on the checkpoint is wrong.");
            $latest = max($latest ?? 0, $atSeconds);
        }
        return $latest;
    }

    /**
     * From the leaf upwards: `node` is the position of the hash reached so far on its level, `last` that of the level's
     * last node. A node without a right sibling moves up unchanged until it is a right child.
     *
     * @param list<string> $path
     */
    private static function isIncluded(string $reached, int $index, int $size, string $root, array $path): bool
    {
        [$node, $last] = [$index, $size - 1];
        if ($node > $last) {
            return false;
        }
        foreach ($path as $sibling) {
            if ($last === 0) {
                return false;
            }
            while ($node === $last && $node % 2 === 0) {
                [$node, $last] = [$node >> 1, $last >> 1];
            }
            $reached = hash('sha256', "\1" . ($node % 2 === 1 ? $sibling . $reached : $reached . $sibling), true);
            [$node, $last] = [$node >> 1, $last >> 1];
        }
        return $last === 0 && $reached === $root;
    }

    /** Without control characters other than line feeds, in UTF-8. */
    private static function isPlainText(string $text): bool
    {
        return preg_match('/^[^\x00-\x09\x0b-\x1f]*\z/u', $text) === 1;
    }

    private static function isKeyName(string $name): bool
    {
        return $name !== '' && self::isPlainText($name) && preg_match(self::NOT_IN_NAMES, $name) === 0;
    }

    /** Only the one way in which these bytes are written: no spaces, no missing padding, no stray bits. */
    private static function decodeBase64(string $text): ?string
    {
        $bytes = base64_decode($text, true);
        return $bytes !== false && base64_encode($bytes) === $text ? $bytes : null;
    }

    private static function decodeHash(string $text): ?string
    {
        $bytes = self::decodeBase64($text);
        return $bytes !== null && strlen($bytes) === 32 ? $bytes : null;
    }

    private static function parseDecimal(string $text): ?int
    {
        $isDecimal = preg_match('/^(?:0|[1-9][0-9]{0,15})\z/', $text) === 1;
        return $isDecimal && (int) $text <= self::SAFE_INTEGER_MAX ? (int) $text : null;
    }
}
