import type { LedgerEntry } from "@assay/contract/dashboard/ledger.ts";
import { parseTilePath } from "@assay/tlog/tiles.ts";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SmallLog } from "./small-log.ts";

export type ServedLog = {
  log: SmallLog;
  entries: LedgerEntry[];
  /** Of the scoring calls, one after the other. */
  receipts?: string[];
  /** Entries from this one on have no proof. */
  hidesFromSeq?: number | undefined;
};

const verdict = { service_score: 78.4, trust_level: "high", confidence: 0.91, revenue_attribution: 0.034, session_id: "sess_1" };

export type SmallLogServer = { url: string; served: ServedLog; requests: string[]; stop(): Promise<void> };

/** Answers like the service, with whatever `served` holds at that moment. Change it to play a service that cheats. */
export async function serveSmallLog(first: ServedLog): Promise<SmallLogServer> {
  const served: ServedLog = { ...first };
  const requests: string[] = [];
  const send = (response: ServerResponse, body: string | Uint8Array | undefined) => {
    if (body === undefined) response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not_found","message":"It is not there."}');
    else response.writeHead(200, { "content-type": typeof body === "string" && body.startsWith("{") ? "application/json" : "text/plain" }).end(body);
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    requests.push(request.url ?? "");
    const { log, entries } = served;
    const accountId = entries[0]?.account_id ?? "";
    if (pathname === "/log/checkpoint") return send(response, log.note());
    if (pathname === "/log/key") return send(response, `${log.signers[0]!.vkey}\n`);
    if (pathname.startsWith("/log/tile/")) {
      const tile = parseTilePath(pathname.slice("/log/tile/".length));
      return send(response, tile && log.tile(tile));
    }
    if (pathname === "/api/ledger/entries") {
      const from = Number(searchParams.get("from") ?? 1);
      return send(response, JSON.stringify({ entries: entries.slice(from - 1, from - 1 + Number(searchParams.get("limit"))) }));
    }
    if (pathname === "/api/ledger/proof" && searchParams.has("seq")) {
      const seq = Number(searchParams.get("seq"));
      return send(response, seq >= (served.hidesFromSeq ?? Number.POSITIVE_INFINITY) ? undefined : log.proof({ accountId, seq }));
    }
    if (pathname === "/api/ledger/proof") {
      const [from, to] = [Number(searchParams.get("consistency_from")), Number(searchParams.get("consistency_to"))];
      return send(response, to > log.leaves.length ? undefined : JSON.stringify({ from_size: from, size: to, path: log.consistency(from, to) }));
    }
    if (pathname.startsWith("/api/ml/")) response.setHeader("assay-receipt", served.receipts?.shift() ?? "");
    return send(response, pathname.startsWith("/api/ml/") ? JSON.stringify(verdict) : undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    requests,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
