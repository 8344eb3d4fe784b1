import { generateKeyPairSync, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { formatCheckpoint, type Checkpoint } from "../checkpoint.ts";
import { cosignatureType, cosignedText, ed25519Type, formatNote, formatTimedSignature, formatVerifierKey, keyIdOf, type NoteSignature, type SignatureType } from "../note.ts";

type KeyPair = { publicKey: KeyObject; privateKey: KeyObject };

/** A key pair under a name, as a log or as a witness has one. */
export class TestSigner {
  readonly name: string;
  readonly vkey: string;
  readonly #type: SignatureType;
  readonly #keyId: string;
  readonly #pair: KeyPair;

  private constructor(fields: { name: string; vkey: string; type: SignatureType; keyId: string; pair: KeyPair }) {
    this.name = fields.name;
    this.vkey = fields.vkey;
    this.#type = fields.type;
    this.#keyId = fields.keyId;
    this.#pair = fields.pair;
  }

  static async make(name: string, type: SignatureType, pair: KeyPair = generateKeyPairSync("ed25519")): Promise<TestSigner> {
    const publicKey = new Uint8Array(pair.publicKey.export({ format: "der", type: "spki" }).subarray(-32));
    const [vkey, keyId] = [await formatVerifierKey({ name, type, publicKey }), await keyIdOf(name, type, publicKey)];
    return new TestSigner({ name, vkey, type, keyId, pair });
  }

  static log = (origin: string): Promise<TestSigner> => TestSigner.make(origin, ed25519Type);
  static witness = (name: string): Promise<TestSigner> => TestSigner.make(name, cosignatureType);

  /** The same key under another name. */
  renamed(name: string): Promise<TestSigner> {
    return TestSigner.make(name, this.#type, this.#pair);
  }

  sign(text: string, atSeconds = 0): NoteSignature {
    const isTimed = this.#type === cosignatureType;
    const signature = sign(null, Buffer.from(isTimed ? cosignedText(text, atSeconds) : text), this.#pair.privateKey);
    return { name: this.name, keyId: this.#keyId, bytes: isTimed ? formatTimedSignature(atSeconds, signature) : new Uint8Array(signature) };
  }

  signCheckpoint(checkpoint: Omit<Checkpoint, "origin">): string {
    const text = formatCheckpoint({ origin: this.name, ...checkpoint });
    return formatNote({ text, signatures: [this.sign(text)] });
  }
}
