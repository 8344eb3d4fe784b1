import { type NewEvent, operators } from "../../webhooks/events/write-events.ts";

type FindingEvent = Extract<NewEvent, { type: "finding.opened" | "finding.answered" | "finding.overdue" }>;
type Told = { [Each in FindingEvent["type"]]: Omit<Extract<FindingEvent, { type: Each }>, "audience"> }[FindingEvent["type"]];

/** What the developer whose account it is and the operators are both told. */
export const toBothSides = (told: Told): NewEvent[] => [{ audience: told.data.account_id, ...told }, { audience: operators, ...told }];
