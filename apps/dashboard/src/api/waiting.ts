/** What was earned and nobody can examine. */
import type { DecideWaitingRequest, OwnWaitingReply, StatementRequest, WaitingAllowanceRequest, WaitingReply } from "@assay/contract/dashboard/waiting.ts";
import { queryOptions } from "@tanstack/react-query";
import { accountPath, alwaysStale, operatorKey } from "./operator.ts";
import { read, write } from "./request.ts";

export const ownWaitingQuery = queryOptions({ queryKey: ["waiting"], queryFn: ({ signal }) => read<OwnWaitingReply>("waiting", { signal }) });
export const stateWaiting = ({ waitingId, text }: StatementRequest & { waitingId: string }) => write<OwnWaitingReply>("POST", `waiting/${encodeURIComponent(waitingId)}/statement`, { text });

export const waitingQuery = queryOptions({
  ...alwaysStale,
  queryKey: [...operatorKey, "waiting"],
  queryFn: ({ signal }) => read<WaitingReply>("operator/waiting", { signal }),
});
export const decideWaiting = ({ waitingId, ...body }: DecideWaitingRequest & { waitingId: string }) => write<WaitingReply>("POST", `operator/waiting/${encodeURIComponent(waitingId)}/decide`, body);
export const allowWaiting = ({ accountId, ...body }: WaitingAllowanceRequest & { accountId: string }) => write<WaitingReply>("POST", accountPath(accountId, "/waiting-allowance"), body);
