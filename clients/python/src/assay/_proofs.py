"""Offline verification of proofs that the ledger's log contains a receipt (C2SP tlog-proof, signed-note, RFC 6962)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from typing import Dict, List, NamedTuple, NoReturn, Optional, Sequence, Tuple

from ._ed25519 import verify_ed25519
from ._errors import ProofError

_ED25519 = 1
_COSIGNATURE = 4
_PATH_LENGTH_MAX = 63
_PROOF_CHARACTERS_MAX = 512 * 1024
_NOTE_CHARACTERS_MAX = 256 * 1024
_SIGNATURES_MAX = 100
_SAFE_INTEGER_MAX = 2**53 - 1


@dataclass(frozen=True)
class Witness:
    """A witness that has cosigned a checkpoint."""

    name: str
    at_ms: int
    """When it says that it saw the checkpoint, in milliseconds since 1970."""


@dataclass(frozen=True)
class VerifiedProof:
    """Where a receipt's entry is in the log."""

    account_id: str
    seq: int
    hash: str
    origin: str
    """Name of the log."""
    index: int
    """Place of the entry in the log, from 0."""
    size: int
    """Size of the log at the checkpoint."""
    witnessed_by: Tuple[Witness, ...]
    """Those of the given witnesses that have cosigned the checkpoint."""


class _Signature(NamedTuple):
    name: str
    key_id: str
    content: bytes


class _Key(NamedTuple):
    name: str
    key_id: str
    kind: int
    public_key: bytes


def _refuse(what: str, message: str) -> NoReturn:
    raise ProofError(f"malformed_{what}", f"The {what} is malformed: {message}.")


def _decode_base64(text: str) -> Optional[bytes]:
    """Only the one way to write these bytes."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return content if base64.b64encode(content).decode() == text else None


def _decode_hash(text: str) -> Optional[bytes]:
    content = _decode_base64(text)
    return content if content is not None and len(content) == 32 else None


def _parse_decimal(text: str) -> Optional[int]:
    if not re.fullmatch(r"0|[1-9][0-9]{0,15}", text) or int(text) > _SAFE_INTEGER_MAX:
        return None
    return int(text)


def _is_plain(text: str) -> bool:
    """No control characters but line feeds, and no halves of characters."""
    return not re.search(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]", text)


def _is_key_name(name: str) -> bool:
    return name != "" and _is_plain(name) and "+" not in name and not any(each.isspace() for each in name)


def _parse_proof(text: str) -> Tuple[int, List[bytes], Optional[bytes], str]:
    if len(text) > _PROOF_CHARACTERS_MAX:
        _refuse("proof", f"it has more than {_PROOF_CHARACTERS_MAX} characters")
    head, empty_line, note = text.partition("\n\n")
    version, *lines = head.split("\n")
    if not empty_line or version != "c2sp.org/tlog-proof@v1":
        _refuse("proof", "it has no proper first line, or no empty line before its checkpoint")
    extra: Optional[bytes] = None
    if lines and lines[0].startswith("extra "):
        extra = _decode_base64(lines.pop(0)[len("extra ") :])
        if extra is None:
            _refuse("proof", "its extra line is not base64")
    index = _parse_decimal(lines[0][len("index ") :]) if lines and lines[0].startswith("index ") else None
    if index is None or len(lines) - 1 > _PATH_LENGTH_MAX:
        _refuse("proof", f"its index is a decimal without leading zeros, and its path has at most {_PATH_LENGTH_MAX} hashes")
    path = [_decode_hash(line) for line in lines[1:]]
    if None in path:
        _refuse("proof", "each line of its path is a SHA-256 hash in base64")
    return index, [each for each in path if each is not None], extra, note


def _parse_signature(line: str) -> _Signature:
    words = line[2:].split(" ") if line.startswith("— ") else []
    content = _decode_base64(words[1]) if len(words) == 2 else None
    if content is None or not _is_key_name(words[0]) or len(content) <= 4:
        _refuse("note", "a signature is a dash, a name and base64, with a key id of 4 bytes in front")
    return _Signature(words[0], content[:4].hex(), content[4:])


def _parse_note(note: str) -> Tuple[str, List[_Signature]]:
    if len(note) > _NOTE_CHARACTERS_MAX or not _is_plain(note):
        _refuse("note", "it is too long, or contains a control character")
    # Empty lines may be part of the text; the last one ends it.
    end = note.rfind("\n\n")
    if end < 0 or not note.endswith("\n"):
        _refuse("note", "it is text, an empty line and signatures, each of which ends with a line feed")
    lines = note[end + 2 : -1].split("\n")
    if len(lines) > _SIGNATURES_MAX:
        _refuse("note", f"it has more than {_SIGNATURES_MAX} signatures")
    return note[: end + 1], [_parse_signature(line) for line in lines]


def _parse_checkpoint(text: str) -> Tuple[str, int, bytes]:
    lines = text[:-1].split("\n")
    size = _parse_decimal(lines[1]) if len(lines) > 2 else None
    root = _decode_hash(lines[2]) if len(lines) > 2 else None
    if "" in lines or size is None or root is None:
        _refuse("checkpoint", "its lines are its origin, its size and its root")
    return lines[0], size, root


def _parse_key(vkey: str, kind: int) -> _Key:
    name, _, rest = vkey.partition("+")
    key_id, _, encoded = rest.partition("+")
    material = _decode_base64(encoded)
    if not _is_key_name(name) or material is None or len(material) != 33 or material[0] != kind:
        _refuse("key", "it is a name, an id and an Ed25519 key of the right kind in base64, joined by plus signs")
    if key_id != hashlib.sha256(name.encode() + b"\n" + material).digest()[:4].hex():
        _refuse("key", "its id is not the one of its name and bytes")
    return _Key(name, key_id, kind, material[1:])


def _verify_one(text: str, key: _Key, content: bytes) -> Optional[int]:
    """The time in seconds that the signature states, 0 if its kind states none; None if it is wrong."""
    if key.kind == _ED25519:
        return 0 if verify_ed25519(key.public_key, text.encode(), content) else None
    seconds = int.from_bytes(content[:8], "big")
    if len(content) != 72 or not 0 < seconds * 1_000 <= _SAFE_INTEGER_MAX:
        return None
    cosigned = f"cosignature/v1\ntime {seconds}\n{text}".encode()
    return seconds if verify_ed25519(key.public_key, cosigned, content[8:]) else None


def _judge(text: str, signatures: Sequence[_Signature], key: _Key) -> Optional[int]:
    """The latest time that the key states; None if it has not signed."""
    times: List[int] = []
    for signature in signatures:
        if (signature.name, signature.key_id) == (key.name, key.key_id):
            seconds = _verify_one(text, key, signature.content)
            if seconds is None:
                raise ProofError("bad_signature", f"The signature of {key.name} on the checkpoint is wrong.")
            times.append(seconds)
    return max(times, default=None)


def _is_included(leaf: bytes, index: int, size: int, root: bytes, path: Sequence[bytes]) -> bool:
    """From the leaf upwards: ``node`` is the place reached on its level, ``last`` that of the level's last node."""
    if index >= size:
        return False
    node, last = index, size - 1
    reached = hashlib.sha256(b"\x00" + leaf).digest()
    for sibling in path:
        if last == 0:
            return False
        # A node without a right sibling moves up unchanged until it is a right child.
        while node == last and node % 2 == 0:
            node, last = node // 2, last // 2
        pair = sibling + reached if node % 2 == 1 else reached + sibling
        reached = hashlib.sha256(b"\x01" + pair).digest()
        node, last = node // 2, last // 2
    return last == 0 and reached == root


def verify_proof(
    proof: str, receipt: str, *, log_keys: Sequence[str], witness_keys: Sequence[str] = ()
) -> VerifiedProof:
    """Verifies, offline, that a trusted log contains the receipt's entry; raises a ``ProofError`` if not.

    ``receipt`` is ``<seq>.<hash>``, as in ``meta``; anything else is a ValueError. ``log_keys`` come from ``GET /log/key``.
    """
    wanted = re.fullmatch(r"([1-9][0-9]{0,14})\.([0-9a-f]{64})", receipt)
    if wanted is None:
        raise ValueError("receipt must be the value of an Assay-Receipt header, <seq>.<hash>")
    index, path, leaf, note = _parse_proof(proof)
    claimed = re.fullmatch(rb"assay-receipt-1\n([\x21-\x7e]{1,100})\n([1-9][0-9]{0,15})\n([0-9a-f]{64})\n", leaf or b"")
    if leaf is None or claimed is None or int(claimed[2]) > _SAFE_INTEGER_MAX:
        _refuse("proof", "it does not say which receipt it is for")
    seq, entry_hash = int(wanted[1]), wanted[2]
    if (int(claimed[2]), claimed[3].decode()) != (seq, entry_hash):
        raise ProofError("other_receipt", "The proof is for another receipt.")
    text, signatures = _parse_note(note)
    origin, size, root = _parse_checkpoint(text)
    signed = [_judge(text, signatures, key) for key in [_parse_key(each, _ED25519) for each in log_keys] if key.name == origin]
    if all(each is None for each in signed):
        raise ProofError("unknown_log", "The checkpoint is not signed by a known key of the log that it names.")
    # A key under two names is one witness.
    witnesses: Dict[bytes, Witness] = {}
    for key in [_parse_key(each, _COSIGNATURE) for each in witness_keys]:
        seconds = _judge(text, signatures, key)
        if seconds is not None:
            witnesses.setdefault(key.public_key, Witness(key.name, seconds * 1_000))
    if not _is_included(leaf, index, size, root, path):
        raise ProofError("not_included", "The proof does not lead from the receipt to the root of its checkpoint.")
    return VerifiedProof(claimed[1].decode(), seq, entry_hash, origin, index, size, tuple(witnesses.values()))
