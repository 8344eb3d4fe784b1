import type {
  ChangeEndpointRequest,
  DeliveriesQuery,
  DeliveriesReply,
  DeliveryDetailReply,
  DeliveryItem,
  EndpointItem,
  NewEndpointReply,
  NewEndpointRequest,
  ReplayReply,
  RotateSecretReply,
  TestEventReply,
  WebhooksReply,
} from "@assay/contract/dashboard/webhooks.ts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { read, write } from "./request.ts";

export type DeliveryFilter = Omit<DeliveriesQuery, "cursor" | "limit">;
type Named = { endpointId: string; eventId: string };

/** While something is being sent, and otherwise. */
const soonMs = 2_000;
const laterMs = 20_000;

const isUnderWay = ({ is_sending: isSending, next_at: nextAt }: DeliveryItem): boolean => isSending || (nextAt !== null && Date.parse(nextAt) - Date.now() < laterMs);

/** The endpoints of the signed-in account, or those of the operators: the same requests under two addresses. */
export function webhooksUnder(prefix: "webhooks" | "operator/webhooks") {
  const key = ["webhooks", prefix] as const;
  const endpoint = (endpointId: string, action = "") => `${prefix}/${encodeURIComponent(endpointId)}${action}`;
  const delivery = ({ endpointId, eventId }: Named, action = "") => endpoint(endpointId, `/deliveries/${encodeURIComponent(eventId)}${action}`);
  return {
    /** Of all queries: whatever changes one of them may change the others. */
    key,
    endpoints: queryOptions({ queryKey: [...key, "endpoints"], queryFn: ({ signal }) => read<WebhooksReply>(prefix, { signal }) }),
    deliveries: (filter: DeliveryFilter) =>
      infiniteQueryOptions({
        queryKey: [...key, "deliveries", filter],
        queryFn: ({ pageParam, signal }) => read<DeliveriesReply>(`${prefix}/deliveries`, { query: { ...filter, cursor: pageParam }, signal }),
        initialPageParam: undefined as string | undefined,
        getNextPageParam: (page) => page.next_cursor ?? undefined,
        refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.deliveries.some(isUnderWay)) ? soonMs : laterMs),
      }),
    delivery: (named: Named) =>
      queryOptions({
        queryKey: [...key, "delivery", named],
        queryFn: ({ signal }) => read<DeliveryDetailReply>(delivery(named), { signal }),
        refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? soonMs : false),
      }),
    create: (body: NewEndpointRequest) => write<NewEndpointReply>("POST", prefix, body),
    change: ({ endpointId, ...body }: ChangeEndpointRequest & { endpointId: string }) => write<EndpointItem>("PATCH", endpoint(endpointId), body),
    rotate: (endpointId: string) => write<RotateSecretReply>("POST", endpoint(endpointId, "/rotate")),
    remove: (endpointId: string) => write<unknown>("DELETE", endpoint(endpointId)),
    test: (endpointId: string) => write<TestEventReply>("POST", endpoint(endpointId, "/test")),
    replay: ({ endpointId, from }: { endpointId: string; from: string }) => write<ReplayReply>("POST", endpoint(endpointId, "/replay"), { from }),
    redeliver: (named: Named) => write<DeliveryDetailReply>("POST", delivery(named, "/redeliver")),
  };
}

export type Webhooks = ReturnType<typeof webhooksUnder>;
