/** Whether calls are paid for, as operators see it. The developer's part is in findings.ts. */
import type {
  CallDaysReply,
  DecideFindingReply,
  DecideFindingRequest,
  FindingsReply,
  IntegrityReply,
  OpenFindingRequest,
  ReverseCallsReply,
  ReverseCallsRequest,
  ReviewRequest,
  ReviewsReply,
} from "@assay/contract/dashboard/integrity.ts";
import type { AccountsReply } from "@assay/contract/dashboard/operator.ts";
import { queryOptions } from "@tanstack/react-query";
import { accountPath, alwaysStale, operatorKey } from "./operator.ts";
import { read, write } from "./request.ts";

export const findingsQuery = queryOptions({
  ...alwaysStale,
  queryKey: [...operatorKey, "findings"],
  queryFn: ({ signal }) => read<FindingsReply>("operator/findings", { signal }),
});
const findingPath = (findingId: string, verb: string) => `operator/findings/${encodeURIComponent(findingId)}/${verb}`;
export const openFinding = (body: OpenFindingRequest) => write<FindingsReply>("POST", "operator/findings", body);
export const decideFinding = ({ findingId, ...body }: DecideFindingRequest & { findingId: string }) => write<DecideFindingReply>("POST", findingPath(findingId, "decide"), body);
export const reopenFinding = ({ findingId, reason }: { findingId: string; reason: string }) => write<FindingsReply>("POST", findingPath(findingId, "reopen"), { reason });

/** The account with exactly this address or id. */
export async function findAccountId(emailOrId: string): Promise<string> {
  const { accounts } = await read<AccountsReply>("operator/accounts", { query: { search: emailOrId } });
  const found = accounts.find(({ id, email }) => id === emailOrId || email.toLowerCase() === emailOrId.toLowerCase());
  if (!found) throw new Error(`There is no account ${emailOrId}.`);
  return found.id;
}

export const integrityQuery = (accountId: string) =>
  queryOptions({
    ...alwaysStale,
    queryKey: [...operatorKey, "integrity", accountId],
    queryFn: ({ signal }) => read<IntegrityReply>(accountPath(accountId, "/integrity"), { signal }),
  });

export const operatedCallDaysQuery = (accountId: string) =>
  queryOptions({
    ...alwaysStale,
    queryKey: [...operatorKey, "call-days", accountId],
    queryFn: ({ signal }) => read<CallDaysReply>(accountPath(accountId, "/call-days"), { signal }),
  });
export const reverseCalls = (accountId: string, body: ReverseCallsRequest) => write<ReverseCallsReply>("POST", accountPath(accountId, "/reverse-calls"), body);

export const reviewsQuery = queryOptions({
  ...alwaysStale,
  queryKey: [...operatorKey, "reviews"],
  queryFn: ({ signal }) => read<ReviewsReply>("operator/reviews", { signal }),
});
export const reviewAccount = ({ accountId, ...body }: ReviewRequest & { accountId: string }) => write<unknown>("POST", accountPath(accountId, "/review"), body);
