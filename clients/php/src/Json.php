<?php

declare(strict_types=1);

namespace Assay;

/** @internal */
final class Json
{
    private const FLAGS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS | JSON_THROW_ON_ERROR;

    /** @throws \InvalidArgumentException if it cannot be written as JSON, such as text that is not UTF-8. */
    public static function encode(mixed $value): string
    {
        try {
            return json_encode($value, self::FLAGS);
        } catch (\JsonException $error) {
            throw new \InvalidArgumentException("The request cannot be written as JSON: {$error->getMessage()}");
        }
    }

    /** An empty array is an empty object where only objects are expected. */
    public static function object(mixed $value): mixed
    {
        return $value === [] ? new \stdClass() : $value;
    }

    /** Null unless the text is a JSON object. */
    public static function decode(string $text): ?\stdClass
    {
        $value = json_decode(self::withoutMark($text), false, 512, JSON_INVALID_UTF8_SUBSTITUTE);
        return $value instanceof \stdClass ? $value : null;
    }

    /** @return array<string, mixed>|null Null unless the text is a JSON object. */
    public static function decodeFields(string $text): ?array
    {
        return self::decode($text) ? json_decode(self::withoutMark($text), true, 512, JSON_INVALID_UTF8_SUBSTITUTE) : null;
    }

    private static function withoutMark(string $text): string
    {
        return str_starts_with($text, "\xEF\xBB\xBF") ? substr($text, 3) : $text;
    }
}
