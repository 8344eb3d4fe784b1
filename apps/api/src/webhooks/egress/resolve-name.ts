import { promises as dns } from "node:dns";

/** Gives all addresses of a name; none, or an error: it has none. `isOperators`: an operator's endpoint, whose name may exist in the local network only. */
export type Resolve = (name: string, options: { isOperators: boolean; signal: AbortSignal }) => Promise<readonly string[]>;

const queryMsMax = 2_500;
const triesMax = 2;

/**
 * Asks name servers itself. The system's lookup would wait in Node's thread pool and cannot be cancelled there: a few names
 * with slow servers would keep the service from hashing passwords and reading files.
 */
async function queryServers(name: string, { servers, signal }: { servers: readonly string[] | undefined; signal: AbortSignal }): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: queryMsMax, tries: triesMax });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** The system's way, with its hosts file and search list: for operators' names only, which nobody else chooses. */
async function lookUp(name: string): Promise<string[]> {
  const found = await dns.lookup(name, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
}

/** With these name servers, or those of the system. */
export const openResolver =
  (servers?: readonly string[]): Resolve =>
  (name, { isOperators, signal }) =>
    isOperators ? lookUp(name) : queryServers(name, { servers, signal });
