import type { DriftReply } from "@assay/contract/dashboard/drift.ts";
import type { SessionDetailReply, SessionsQuery, SessionsReply } from "@assay/contract/dashboard/sessions.ts";
import type { Outcome, OutcomeReply } from "@assay/contract/sessions.ts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { read, write } from "./request.ts";

export type SessionFilter = Omit<SessionsQuery, "cursor" | "limit">;

export const sessionsQuery = (filter: SessionFilter) =>
  infiniteQueryOptions({
    queryKey: ["sessions", filter],
    queryFn: ({ pageParam, signal }) => read<SessionsReply>("sessions", { query: { ...filter, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** About complete days, so it is read once per visit. */
export const driftQuery = queryOptions({ queryKey: ["drift"], queryFn: ({ signal }) => read<DriftReply>("drift", { signal }), staleTime: 600_000 });

const pathOf = (sessionId: string, action = "") => `sessions/${encodeURIComponent(sessionId)}${action}`;

export const sessionQuery = (sessionId: string) =>
  queryOptions({ queryKey: ["session", sessionId], queryFn: ({ signal }) => read<SessionDetailReply>(pathOf(sessionId), { signal }) });

export const reportOutcome = ({ sessionId, outcome }: { sessionId: string; outcome: Outcome }) =>
  write<OutcomeReply>("POST", pathOf(sessionId, "/outcome"), { outcome });
