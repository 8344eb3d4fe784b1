/** Whether calls are paid for, as their developer sees it. The operator's part is in operator-integrity.ts. */
import type { AnswerFindingRequest, CallDaysReply, OwnFindingsReply } from "@assay/contract/dashboard/integrity.ts";
import { queryOptions } from "@tanstack/react-query";
import { read, write } from "./request.ts";

const findingsStaleMs = 60_000;

export const callDaysQuery = queryOptions({ queryKey: ["call-days"], queryFn: ({ signal }) => read<CallDaysReply>("call-days", { signal }) });

export const ownFindingsQuery = queryOptions({
  queryKey: ["findings"],
  queryFn: ({ signal }) => read<OwnFindingsReply>("findings", { signal }),
  staleTime: findingsStaleMs,
});

const findingPath = (findingId: string, verb: string) => `findings/${encodeURIComponent(findingId)}/${verb}`;

export const answerFinding = ({ findingId, text }: AnswerFindingRequest & { findingId: string }) => write<OwnFindingsReply>("POST", findingPath(findingId, "answer"), { text });
export const acceptFinding = (findingId: string) => write<OwnFindingsReply>("POST", findingPath(findingId, "accept"), {});
