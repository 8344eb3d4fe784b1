/**
 * Sites, whose pages let Assay measure sessions: `GET` and `POST /dashboard/api/sites`, `PATCH` and
 * `DELETE /dashboard/api/sites/{site_id}`. Another account's site is a 404.
 */
import Type, { type Static } from "typebox";
import { originsMax, siteNameLengthMax } from "./site-limits.ts";

const count = () => Type.Integer({ minimum: 0 });
const nullableTime = (description: string) => Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });

export const SiteItem = Type.Object({
  site_id: Type.String({ description: "site_ and 20 letters and digits. It is public: pages contain it." }),
  name: Type.String(),
  origins: Type.Array(Type.String(), { description: "Pages of these origins may attest sessions, such as https://shop.example." }),
  created_at: Type.String({ format: "date-time" }),
  last_seen_at: nullableTime("When a session was last attested and used; accurate to a minute. Null: never."),
  sessions: Type.Integer({ minimum: 0, description: "Sessions that were attested and used by a billed call in the last 30 days." }),
  refused: Type.Integer({
    minimum: 0,
    description: "The other sessions that began in these days: crowded, too short, or not used, or not yet. Anybody can begin one, because the site's ID is public.",
  }),
  calls: Type.Integer({ minimum: 0, description: "Billed calls with a token of this site in the last 30 days." }),
  attested_calls: Type.Integer({ minimum: 0, description: "Those of them that were attested." }),
});
export type SiteItem = Static<typeof SiteItem>;

export const SitesReply = Type.Object({
  sites: Type.Array(SiteItem, { description: "The newest first." }),
  script_url: Type.String({ description: "The collector that this installation serves." }),
  calls: Type.Object(
    { calls: count(), attested: count() },
    { description: "All billed calls of the account in the last 30 days, and those that were attested." },
  ),
});
export type SitesReply = Static<typeof SitesReply>;

export const SiteParams = Type.Object({ site_id: Type.String({ maxLength: 64 }) });

const name = Type.String({ minLength: 1, maxLength: siteNameLengthMax, pattern: "\\S" });
const origins = Type.Array(Type.String({ maxLength: 300 }), {
  minItems: 1,
  maxItems: originsMax,
  description: "https://host or https://host:port; http is accepted for localhost and loopback addresses.",
});

export const NewSiteRequest = Type.Object({ name, origins }, { additionalProperties: false });
export type NewSiteRequest = Static<typeof NewSiteRequest>;

export const ChangeSiteRequest = Type.Object({ name: Type.Optional(name), origins: Type.Optional(origins) }, { additionalProperties: false });
export type ChangeSiteRequest = Static<typeof ChangeSiteRequest>;
