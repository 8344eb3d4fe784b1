/**
 * API keys: `GET` and `POST /dashboard/api/keys`, `PATCH` and `DELETE /dashboard/api/keys/{key_id}`,
 * `POST /dashboard/api/keys/{key_id}/rotate`. Another account's key is a 404.
 */
import Type, { type Static } from "typebox";

export const keyNameLengthMax = 80;
export const graceHoursDefault = 24;
/** A week: a replaced key must not stay valid indefinitely. */
export const graceHoursMax = 168;

const nullableTime = (description: string) => Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });

export const keyStates = ["active", "rotated", "expired", "revoked"] as const;

export const KeyItem = Type.Object({
  key_id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: "assay_live_ or assay_test_" }),
  last_four: Type.String(),
  mode: Type.Enum(["live", "test"]),
  state: Type.Enum([...keyStates], {
    description: "active and rotated keys work; a rotated one stops at expires_at. expired and revoked keys get 401.",
  }),
  created_at: Type.String({ format: "date-time" }),
  last_used_at: nullableTime("Accurate to ten seconds."),
  expires_at: nullableTime("Null: never. For a rotated key, the end of its grace period."),
  revoked_at: nullableTime("Null unless it is revoked."),
  replaced_by: Type.Union([Type.String(), Type.Null()], { description: "key_id of the key that replaced it." }),
  seen_in_browser_at: nullableTime("When a live key was last sent with a browser's Origin, so that it may be public. Null: never."),
});

export type KeyItem = Static<typeof KeyItem>;

export const KeysReply = Type.Object({
  keys: Type.Array(KeyItem, { description: "All that work and the newest 200 others, the newest first." }),
  older_left_out: Type.Optional(Type.Boolean({ description: "Whether there are older ones, which no longer work." })),
});
export type KeysReply = Static<typeof KeysReply>;

export const KeyParams = Type.Object({ key_id: Type.String({ maxLength: 64 }) });

const name = Type.String({ minLength: 1, maxLength: keyNameLengthMax, pattern: "\\S" });

export const NewKeyRequest = Type.Object(
  {
    name,
    mode: Type.Enum(["live", "test"]),
    expires_at: Type.Optional(Type.String({ description: "ISO 8601, in the future. Default: never." })),
  },
  { additionalProperties: false },
);
export type NewKeyRequest = Static<typeof NewKeyRequest>;

/** 403 `forbidden` while the address is not verified or the account is suspended. */
export const NewKeyReply = Type.Object({
  api_key: Type.String({ description: "The key itself. This is the only time that it is shown." }),
  key: KeyItem,
});
export type NewKeyReply = Static<typeof NewKeyReply>;

export const RenameKeyRequest = Type.Object({ name }, { additionalProperties: false });
export type RenameKeyRequest = Static<typeof RenameKeyRequest>;

export const RotateKeyRequest = Type.Object(
  {
    grace_hours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: graceHoursMax,
        description: `How long the old key keeps working. Default: ${graceHoursDefault}.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type RotateKeyRequest = Static<typeof RotateKeyRequest>;

export const RotateKeyReply = Type.Object({
  api_key: Type.String({ description: "The new key. This is the only time that it is shown." }),
  key: KeyItem,
  old_key: KeyItem,
});
export type RotateKeyReply = Static<typeof RotateKeyReply>;
