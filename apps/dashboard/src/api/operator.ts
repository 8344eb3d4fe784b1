import type { AdjustmentRequest, BookedCorrectionReply, DepositRequest, OperatedCorrectionsReply } from "@assay/contract/dashboard/corrections.ts";
import type {
  AccountsReply,
  ApprovePayoutsReply,
  AuditFilters,
  AuditReply,
  CandidatesReply,
  HoldsReply,
  MoneyReply,
  OperatedAccount,
  PayeeChangesReply,
  PayeeStateReply,
  MovedPayout,
  Payout,
  PayoutsReply,
  PendingClicksReply,
  ProposeReply,
  RelinkRequest,
  ReverseClicksReply,
  SystemReply,
  UnlinkRequest,
} from "@assay/contract/dashboard/operator.ts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { read, write, urlOf } from "./request.ts";

/** Operators decide about money, so they never see cached answers. */
export const alwaysStale = { staleTime: 0 } as const;

/** The first part of every query key here, in campaigns.ts and in operator-integrity.ts. Every action invalidates all of them. */
export const operatorKey = ["operator"] as const;

export type PendingClick = PendingClicksReply["clicks"][number];
export type AuditAction = AuditReply["actions"][number];
export type PayoutStatus = Payout["status"];

const systemRefreshMs = 10_000;

export const moneyQuery = queryOptions({ ...alwaysStale, queryKey: [...operatorKey, "money"], queryFn: ({ signal }) => read<MoneyReply>("operator/money", { signal }) });
export const fund = (usd: number) => write<{ ref: string; receipt: string }>("POST", "operator/funding", { usd });

export const candidatesQuery = queryOptions({
  ...alwaysStale,
  queryKey: [...operatorKey, "candidates"],
  queryFn: ({ signal }) => read<CandidatesReply>("operator/payouts/candidates", { signal }),
});
export const payoutsQuery = (status: PayoutStatus | undefined) =>
  queryOptions({
    ...alwaysStale,
    queryKey: [...operatorKey, "payouts", status],
    queryFn: ({ signal }) => read<PayoutsReply>("operator/payouts", { query: { status }, signal }),
  });
export const proposePayouts = () => write<ProposeReply>("POST", "operator/payouts/propose");
const payoutPath = (payoutId: string, verb: string) => `operator/payouts/${encodeURIComponent(payoutId)}/${verb}`;
export const movePayout = ({ payoutId, verb, note }: { payoutId: string; verb: "approve" | "paid" | "return"; note: string }) =>
  write<MovedPayout>("POST", payoutPath(payoutId, verb), note === "" ? {} : { note });
export const cancelPayout = ({ payoutId, reason }: { payoutId: string; reason: string }) => write<MovedPayout>("POST", payoutPath(payoutId, "cancel"), { reason });
export const approvePayouts = (ids: readonly string[]) => write<ApprovePayoutsReply>("POST", "operator/payouts/approve", { ids });
export const exportPayouts = (again: boolean) => write<string>("POST", "operator/payouts/export", { again });

export const accountPath = (accountId: string, action = "") => `operator/accounts/${encodeURIComponent(accountId)}${action}`;

export type AccountFilter = { search?: string; only?: string };

export const accountsQuery = (filter: AccountFilter) =>
  infiniteQueryOptions({
    ...alwaysStale,
    queryKey: [...operatorKey, "accounts", filter],
    queryFn: ({ pageParam, signal }) => read<AccountsReply>("operator/accounts", { query: { ...filter, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
export const accountQuery = (accountId: string) =>
  queryOptions({ ...alwaysStale, queryKey: [...operatorKey, "account", accountId], queryFn: ({ signal }) => read<OperatedAccount>(accountPath(accountId), { signal }) });
export const suspendAccount = ({ accountId, reason }: { accountId: string; reason: string }) =>
  write<OperatedAccount>("POST", accountPath(accountId, "/suspend"), { reason });
export const resumeAccount = ({ accountId, reason }: { accountId: string; reason: string }) =>
  write<OperatedAccount>("POST", accountPath(accountId, "/resume"), { reason });
export const changeTier = ({ accountId, tier }: { accountId: string; tier: string }) => write<OperatedAccount>("POST", accountPath(accountId, "/tier"), { tier });
export const decideTierRequest = ({ requestId, approve }: { requestId: string; approve: boolean }) =>
  write<OperatedAccount>("POST", `operator/tier-requests/${encodeURIComponent(requestId)}`, { approve });

export const holdsQuery = (accountId: string) =>
  queryOptions({ ...alwaysStale, queryKey: [...operatorKey, "holds", accountId], queryFn: ({ signal }) => read<HoldsReply>(accountPath(accountId, "/holds"), { signal }) });
export const holdMoney = ({ accountId, reason }: { accountId: string; reason: string }) => write<HoldsReply>("POST", accountPath(accountId, "/hold"), { reason });
export const liftHold = ({ accountId, reason }: { accountId: string; reason: string }) => write<HoldsReply>("POST", accountPath(accountId, "/lift-hold"), { reason });

export const correctionsQuery = (accountId: string) =>
  queryOptions({
    ...alwaysStale,
    queryKey: [...operatorKey, "corrections", accountId],
    queryFn: ({ signal }) => read<OperatedCorrectionsReply>(accountPath(accountId, "/corrections"), { signal }),
  });
export const bookDeposit = ({ accountId, ...body }: DepositRequest & { accountId: string }) => write<BookedCorrectionReply>("POST", accountPath(accountId, "/deposits"), body);
export const bookAdjustment = ({ accountId, ...body }: AdjustmentRequest & { accountId: string }) => write<BookedCorrectionReply>("POST", accountPath(accountId, "/adjustments"), body);

export const payeeStateQuery = (accountId: string) =>
  queryOptions({ ...alwaysStale, queryKey: [...operatorKey, "payee", accountId], queryFn: ({ signal }) => read<PayeeStateReply>(accountPath(accountId, "/payee-state"), { signal }) });
export const unlinkAccount = ({ accountId, ...body }: UnlinkRequest & { accountId: string }) => write<PayeeStateReply>("POST", accountPath(accountId, "/unlink"), body);
export const relinkAccount = ({ accountId, ...body }: RelinkRequest & { accountId: string }) => write<PayeeStateReply>("POST", accountPath(accountId, "/relink"), body);
export const payeeChangesQuery = queryOptions({
  ...alwaysStale,
  queryKey: [...operatorKey, "payee-changes"],
  queryFn: ({ signal }) => read<PayeeChangesReply>("operator/payee-changes", { signal }),
});

export const pendingClicksQuery = (accountId: string) =>
  queryOptions({
    ...alwaysStale,
    queryKey: [...operatorKey, "clicks", accountId],
    queryFn: ({ signal }) => read<PendingClicksReply>(accountPath(accountId, "/clicks"), { signal }),
  });
export const reverseClicks = (body: { offer_ids: string[]; reason: string }) => write<ReverseClicksReply>("POST", "operator/clicks/reverse", body);

export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    ...alwaysStale,
    queryKey: [...operatorKey, "audit", filters],
    queryFn: ({ pageParam, signal }) => read<AuditReply>("operator/audit", { query: { ...filters, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
export const auditCsvUrl = (filters: AuditFilters): string => urlOf("operator/audit.csv", filters);

export const systemQuery = queryOptions({
  ...alwaysStale,
  queryKey: [...operatorKey, "system"],
  queryFn: ({ signal }) => read<SystemReply>("operator/system", { signal }),
  refetchInterval: systemRefreshMs,
});
export const rotateTrackingKey = () => write<{ id: string; created_at: string }>("POST", "operator/tracking-keys/rotate");
