import { openConnection } from "../open-connection.ts";
import { readAnswer, writeStart } from "./page-requests.ts";

/** One session, over a connection of its own. */
export function beginSession(address: string, { origin, siteId, address: visitor }: { origin: string; siteId: string; address: string }): Promise<{ token: string }> {
  const url = new URL(address);
  return new Promise((resolve, reject) => {
    const connection = openConnection(url, {
      onOpen: () => connection.send(writeStart({ host: url.host, origin }, visitor, siteId)),
      onAnswer(status, text) {
        connection.end();
        if (status === 201) resolve(readAnswer(text));
        else reject(new Error(text));
      },
      onClose: () => reject(new Error(`${address} closed the connection`)),
    });
  });
}
