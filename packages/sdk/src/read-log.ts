import type { LogReader } from "@assay/tlog/examine-receipt.ts";
import { AssayError } from "./assay-error.ts";

/** Makes a request with the client's key and retries. */
type Get = (path: string, answers: "json" | "text") => Promise<unknown>;

/** What the service says about the ledger and its log. */
export function createLogReader(get: Get): LogReader {
  /** `undefined` for 404. */
  async function read<Body>(path: string, answers: "json" | "text" = "json"): Promise<Body | undefined> {
    try {
      return (await get(path, answers)) as Body;
    } catch (error) {
      if (error instanceof AssayError && error.status === 404) return undefined;
      throw error;
    }
  }
  return {
    readKeys: async () => ((await read<string>("/log/key", "text")) ?? "").split("\n").filter((line) => line !== ""),
    readProof: (seq) => read<string>(`/api/ledger/proof?seq=${seq}`, "text"),
    async readEntryHash(seq) {
      const [entry] = (await read<{ entries: { seq: number; hash: string }[] }>(`/api/ledger/entries?from=${seq}&limit=1`))?.entries ?? [];
      return entry?.seq === seq ? entry.hash : undefined;
    },
    readConsistency: async ({ fromSize, toSize }) => (await read<{ path: string[] }>(`/api/ledger/proof?consistency_from=${fromSize}&consistency_to=${toSize}`))?.path,
  };
}
