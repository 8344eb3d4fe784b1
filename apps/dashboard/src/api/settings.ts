import type { ChangeNoticesRequest, NoticesReply } from "@assay/contract/dashboard/notices.ts";
import type { ChangePayeeRequest, ChangeSettingsRequest, PayeeReply, SettingsReply, TierRequestReply, TiersReply } from "@assay/contract/dashboard/settings.ts";
import { queryOptions } from "@tanstack/react-query";
import { read, write } from "./request.ts";

export const settingsQuery = queryOptions({ queryKey: ["settings"], queryFn: ({ signal }) => read<SettingsReply>("settings", { signal }) });
export const payeeQuery = queryOptions({ queryKey: ["payee"], queryFn: ({ signal }) => read<PayeeReply>("payee", { signal }) });
export const tiersQuery = queryOptions({ queryKey: ["tiers"], queryFn: ({ signal }) => read<TiersReply>("tiers", { signal }) });
export const noticesQuery = queryOptions({ queryKey: ["notices"], queryFn: ({ signal }) => read<NoticesReply>("notices", { signal }) });

export const changeSettings = (body: ChangeSettingsRequest) => write<SettingsReply>("PATCH", "settings", body);
export const savePayee = (body: ChangePayeeRequest) => write<PayeeReply>("PUT", "payee", body);
export const requestTier = (tier: string) => write<TierRequestReply>("POST", "tier-requests", { tier });
export const changeNotices = (body: ChangeNoticesRequest) => write<NoticesReply>("PUT", "notices", body);
