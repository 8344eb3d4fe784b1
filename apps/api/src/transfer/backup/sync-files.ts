import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes a file, or the names within a folder, outlast a power cut. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
