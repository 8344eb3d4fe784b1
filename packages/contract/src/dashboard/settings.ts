/**
 * `GET` and `PATCH /dashboard/api/settings`, `GET` and `PUT /dashboard/api/payee`,
 * `GET /dashboard/api/tiers`, `POST /dashboard/api/tier-requests`.
 */
import Type, { type Static } from "typebox";
import { StatusReply } from "../operations.ts";
import { stepUpFields } from "./account.ts";
import { ModelSettings } from "./models.ts";

const time = () => Type.String({ format: "date-time" });

export const SettingsReply = Type.Object({
  email: Type.String(),
  verified: Type.Boolean(),
  status: Type.Enum(["active", "suspended", "closed"]),
  operator: Type.Boolean(),
  demo: Type.Boolean(),
  created_at: time(),
  tier: Type.String(),
  house_ads: Type.Boolean({ description: "Whether the operator's own ads fill requests that no paid campaign fills." }),
  session_retention_days: Type.Integer({ minimum: 1, description: "How long session records are kept." }),
  model_version: Type.Union([Type.String(), Type.Null()], { description: "The model that the account has pinned; null for none." }),
  model: ModelSettings,
  session_retention_days_max: Type.Integer({ minimum: 1, description: "Maximum set by the operator; an account can choose less." }),
  payer: Type.Enum(["platform", "developer"]),
  payer_explained: Type.String(),
  keys_seen_in_browser: Type.Array(Type.Object({ key_id: Type.String(), name: Type.String(), seen_at: time() }), {
    description: "Valid live keys that were sent with a browser's Origin: show a warning and offer to rotate them.",
  }),
});

export type SettingsReply = Static<typeof SettingsReply>;

export const ChangeSettingsRequest = Type.Object(
  {
    house_ads: Type.Optional(Type.Boolean()),
    session_retention_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650, description: "At most session_retention_days_max." })),
    model_version: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()], { description: "The model to pin; null for the default." })),
  },
  { additionalProperties: false, minProperties: 1 },
);

export type ChangeSettingsRequest = Static<typeof ChangeSettingsRequest>;

export const payoutMethods = ["bank_transfer", "paypal"] as const;

const filled = (lengthMax: number, description: string) => Type.String({ minLength: 1, maxLength: lengthMax, pattern: "\\S", description });

export const PayeeProfile = Type.Object(
  {
    legal_name: filled(200, "Name of the person or company that is paid."),
    address: filled(500, "Postal address; lines are separated by line feeds."),
    country: Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166-1, two letters." }),
    tax_id: Type.Union([filled(50, "VAT or tax number."), Type.Null()]),
    method: Type.Enum([...payoutMethods]),
    account: filled(100, "IBAN or account number for bank_transfer, the e-mail address for paypal."),
    bank_code: Type.Union([filled(20, "BIC or national code; the national one in the United States, Australia and Canada. Needed with bank_transfer unless account says its bank, as an IBAN does."), Type.Null()]),
    bank_country: Type.Optional(
      Type.Union([Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166-1, of the bank. Where it has IBANs, account must be one. Left out: as the IBAN or BIC says." }), Type.Null()]),
    ),
  },
  { additionalProperties: false },
);

export type PayeeProfile = Static<typeof PayeeProfile>;

/** A later change of `method`, `account`, `bank_code`, `bank_country` or `tax_id` rests, and cancels payouts that are not yet exported. */
export const ChangePayeeRequest = Type.Object({ ...PayeeProfile.properties, ...stepUpFields }, { additionalProperties: false });

export type ChangePayeeRequest = Static<typeof ChangePayeeRequest>;

export const PayeeReply = Type.Object({
  profile: Type.Union([PayeeProfile, Type.Null()], { description: "Null until it is filled in. Nothing is paid out without it." }),
  updated_at: Type.Union([time(), Type.Null()]),
  usable_from: Type.Union([time(), Type.Null()], { description: "A change rests until then. Null: payouts can be made to it now." }),
  change_hold_days: Type.Integer({ minimum: 0, description: "How long a change of bank account, method or tax id rests." }),
});

export type PayeeReply = Static<typeof PayeeReply>;

const Tier = StatusReply.properties.tiers.items;

export const TiersReply = Type.Object({
  current: Type.String(),
  upgrades: Type.Enum(["instant", "review"], { description: "review: the operator decides on each request." }),
  tiers: Type.Array(Tier),
  pending: Type.Union([Type.Object({ tier: Type.String(), requested_at: time() }), Type.Null()], {
    description: "Request that awaits the operator's decision.",
  }),
});

export type TiersReply = Static<typeof TiersReply>;

export const TierRequest = Type.Object({ tier: Type.String({ minLength: 1, maxLength: 60 }) }, { additionalProperties: false });
export type TierRequest = Static<typeof TierRequest>;

export const TierRequestReply = Type.Object({
  outcome: Type.Enum(["applied", "pending"], {
    description: "applied: it takes effect within a second. A tier with lower limits is always applied at once.",
  }),
  tier: Type.String(),
});

export type TierRequestReply = Static<typeof TierRequestReply>;
