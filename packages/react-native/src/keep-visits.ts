// What is kept on the device: a count of sessions that stops at nine, and reports that could not be sent.
import type { Waiting } from "./send-reports.ts";

/** Storage of the app, such as AsyncStorage. */
export type Storage = {
  getItem: (key: string) => Promise<string | null>;
  setItem: (key: string, value: string) => Promise<unknown>;
  removeItem: (key: string) => Promise<unknown>;
};

const visitsKey = "assay.visits";
const unsentKey = "assay.unsent";
/** The count only tells whether the visitor has been here before; counting further is pointless. */
const visitsMax = 9;

export type Kept = {
  /** Earlier sessions on this device; undefined: unknown, or the visitor objects. */
  visits: number | undefined;
  unsent: Waiting[];
};

function parseUnsent(text: string | null): Waiting[] {
  const parsed = JSON.parse(text ?? "[]") as unknown;
  const isWaiting = (each: Partial<Waiting> | null): each is Waiting => typeof each?.session === "string" && typeof each.report?.session_data === "object";
  return Array.isArray(parsed) ? parsed.filter(isWaiting) : [];
}

/** Storage may be full, or fail in whatever way; the collector then works without it. */
async function tryStorage<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

/** Reads what was kept, and deletes the count of a visitor who objects. */
export async function readKept(storage: Storage, objects: boolean): Promise<Kept> {
  const unsent = await tryStorage(async () => parseUnsent(await storage.getItem(unsentKey)));
  if (objects) await tryStorage(() => storage.removeItem(visitsKey));
  const visits = objects ? undefined : await tryStorage(async () => Number(await storage.getItem(visitsKey)) || 0);
  return { visits, unsent: unsent ?? [] };
}

export const saveVisits = (storage: Storage, visits: number): Promise<unknown> => tryStorage(() => storage.setItem(visitsKey, String(Math.min(visits, visitsMax))));

export const saveUnsent = (storage: Storage, unsent: readonly Waiting[]): Promise<unknown> =>
  tryStorage(() => (unsent.length === 0 ? storage.removeItem(unsentKey) : storage.setItem(unsentKey, JSON.stringify(unsent))));
