<?php

declare(strict_types=1);

namespace Assay;

/**
 * The fields of an answer, and facts about the call. Fields are read like those of an array, `$answer['session_id']`;
 * `$body` is that array, with its shape. Fields that are newer than this client are there too.
 *
 * @template T of array<string, mixed>
 * @implements \ArrayAccess<key-of<T>, value-of<T>>
 */
final class Answer implements \ArrayAccess, \JsonSerializable
{
    /**
     * @internal
     * @param T $body The fields, as they came.
     * @param string $json The body of the answer.
     */
    public function __construct(public readonly array $body, public readonly Meta $meta, private readonly string $json)
    {
    }

    public function offsetExists(mixed $offset): bool
    {
        return isset($this->body[$offset]);
    }

    /**
     * @template K of key-of<T>
     * @param K $offset
     * @return T[K]|null Null if the answer has no such field.
     */
    public function offsetGet(mixed $offset): mixed
    {
        return $this->body[$offset] ?? null;
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        throw new \LogicException('An answer cannot be changed.');
    }

    public function offsetUnset(mixed $offset): void
    {
        throw new \LogicException('An answer cannot be changed.');
    }

    /** The fields, with `{}` where the service sent `{}`: a PHP array does not tell it from `[]`. */
    public function jsonSerialize(): object
    {
        return (object) (array_filter($this->body, static fn (mixed $value): bool => !is_array($value)) + (array) Json::decode($this->json) + $this->body);
    }
}
