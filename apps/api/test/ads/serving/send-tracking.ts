import type { AdReply } from "@assay/contract/ads.ts";
import type { OutgoingHttpHeaders } from "node:http";
import { type Answer, send } from "../../send.ts";

type Service = { url: string };

export const browserAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

export function requestAd(service: Service, key: string | undefined, body: unknown): Promise<Answer> {
  const headers = { "content-type": "application/json", ...(key !== undefined && { "x-api-key": key }) };
  return send(service, "/api/ads/request", { method: "POST", headers, body });
}

/** Requests a tracking URL from a given node, as a browser does. */
export function follow(service: Service, address: string, { method = "GET", headers = {} }: { method?: string; headers?: OutgoingHttpHeaders } = {}): Promise<Answer> {
  const path = address.slice(address.indexOf("/t/"));
  return send(service, path, { method, headers: { "user-agent": browserAgent, ...headers } });
}

export const clickUrlOf = (ad: Answer): string => (ad.json() as AdReply).creative.click_url;
export const impressionUrlOf = (ad: Answer): string => (ad.json() as AdReply).impression_tracking_url;
