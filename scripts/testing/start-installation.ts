import { npmStart, type NpmStart, onThisNode } from "../../apps/api/test/faults/rig/npm-start.ts";
import { makeCheckout, placePicture, type Reader } from "./run-document.ts";
import { clockEnvironment } from "./shift-clock.ts";

export type Installation = { service: NpmStart; reader: Reader };

/** A running service, and a folder like a fresh clone in which a document's commands can be run. */
export async function startInstallation(): Promise<Installation> {
  const service = await npmStart(onThisNode());
  const checkout = makeCheckout();
  placePicture(checkout, "acme/images/spring.png");
  const environment = { PATH: process.env.PATH, ...clockEnvironment(), DATA_DIR: service.dataDir, LOG_LEVEL: "warn" };
  return { service, reader: { checkout, url: service.url, seen: service.logs(), environment } };
}
