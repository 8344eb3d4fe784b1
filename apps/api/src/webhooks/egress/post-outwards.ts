/**
 * POST requests to addresses that others choose: they reach public addresses only, whatever a URL, a name server or an
 * answer says. docs/decisions/0023-outgoing-requests.md says why it is done like this.
 */
import { isIP, type Socket } from "node:net";
import { type Connect, connectByTcp, connectDirectly, connectThroughProxy, type Line, openLine, type Proxy, readProxy, secure } from "./connect-pinned.ts";
import { type EgressFailure, EgressTrouble } from "./egress-trouble.ts";
import { type Answer, exchangePost } from "./exchange-post.ts";
import { type AddressRange, type AddressVerdict, judgeAddress, readPrivateRange, type Scope } from "./judge-address.ts";
import { describeRefusal, type EndpointUrl, isLocalhost, mayUsePort, readEndpointUrl, type Target, type UrlRefusal } from "./read-endpoint-url.ts";
import { openResolver, type Resolve } from "./resolve-name.ts";

export type EgressOptions = {
  /**
   * Whose receivers may be on this machine, and use http. `first_developer`: the installation serves this machine only, and
   * WEBHOOK_LOOPBACK is not on. A proxy that nothing names makes strangers look local: their endpoints stay outside then too.
   */
  loopbackFor: "nobody" | "first_developer" | "everybody";
  /** EGRESS_PROXY. Undefined: connections are made directly. */
  proxyUrl?: string | undefined;
  /** WEBHOOK_PRIVATE_CIDRS. */
  privateCidrs?: readonly string[];
  resolve?: Resolve;
  connect?: Connect;
  /** Certificates to trust instead of the usual ones. */
  ca?: string[];
  /** For the whole exchange, from the name's resolution to the end of the answer. */
  deadlineMs?: number;
  /** A clock that only measures durations. */
  elapsedMs?: () => number;
};

/**
 * Whose endpoint it is. Only operators' endpoints may be in the ranges of WEBHOOK_PRIVATE_CIDRS. `first_developer`: the account
 * that the first start on this machine has made, and whose password it has printed for whoever sits there.
 */
export type EndpointOwner = "developer" | "first_developer" | "operators";

export type OutgoingPost = { url: string; headers: Readonly<Record<string, string>>; body: string | Uint8Array; owner: EndpointOwner };

/**
 * `answered`: with any status; a redirect is not followed. `refused`: nothing was sent, and nothing will be until the endpoint
 * or its name changes. `failed`: another attempt may work. No outcome contains an address of the inside.
 */
export type PostOutcome =
  | ({ kind: "answered"; durationMs: number } & Omit<Answer, "body"> & { /** Null: it is of this machine, and not for this owner. */ body: string | null })
  | { kind: "refused"; reason: UrlRefusal; message: string; durationMs: number }
  | { kind: "failed"; reason: EgressFailure; durationMs: number };

export type Egress = {
  /** Judges a URL before it is kept. What its name resolves to is judged with every request. */
  readUrl: (given: string, owner: EndpointOwner) => EndpointUrl;
  post: (post: OutgoingPost) => Promise<PostOutcome>;
};

type Pinned = { addresses: readonly string[]; isLoopback: boolean };
type Context = Required<Pick<EgressOptions, "resolve" | "connect">> & { scope: Scope; proxy: Proxy | undefined; ca: string[] | undefined; owner: EndpointOwner };

const deadlineMsUsual = 10_000;
const bodyBytesMax = 256 * 1_024;

/** One address of each family at most, in the resolver's order: the second is for machines that have only one of them. */
function pickAddresses(addresses: readonly string[]): string[] {
  const first = addresses[0]!;
  const other = addresses.find((address) => isIP(address) !== isIP(first));
  return other === undefined ? [first] : [first, other];
}

async function findAddresses({ resolve, owner }: Context, { host, isLiteral }: Target, signal: AbortSignal): Promise<readonly string[]> {
  if (isLiteral) return [host];
  if (isLocalhost(host)) return ["127.0.0.1", "::1"];
  return resolve(host, { isOperators: owner === "operators", signal }).catch(() => []);
}

/** Resolves once, and judges every address: one that is not allowed refuses them all, because somebody may be choosing among them. */
async function pinAddresses(context: Context, target: Target, signal: AbortSignal): Promise<Pinned | UrlRefusal> {
  const addresses = await findAddresses(context, target, signal);
  if (addresses.length === 0) throw new EgressTrouble("dns");
  const verdicts = addresses.map((address): AddressVerdict => judgeAddress(address, context.scope));
  const isLoopback = verdicts.every((verdict) => verdict === "loopback");
  // A name of this machine and of others is nobody's: the proxy would be asked for its own loopback.
  if (verdicts.includes("refused") || (!isLoopback && verdicts.includes("loopback"))) return "address_not_public";
  if (!target.isTls && !isLoopback) return "not_https";
  if (!verdicts.every((verdict) => mayUsePort(target.port, verdict))) return "port_not_allowed";
  return { addresses: pickAddresses(addresses), isLoopback };
}

async function connectTo(context: Context, line: Line, { port }: Target, { addresses, isLoopback }: Pinned): Promise<Socket> {
  // The proxy's loopback is not ours.
  if (context.proxy && !isLoopback) return connectThroughProxy(context.connect, line, { proxy: context.proxy, address: addresses[0]!, port });
  let trouble: unknown;
  for (const address of addresses) {
    try {
      return await connectDirectly(context.connect, line, { address, port });
    } catch (error) {
      trouble = error;
    }
  }
  throw trouble;
}

async function exchange(context: Context, line: Line, { target, post, signal }: { target: Target; post: OutgoingPost; signal: AbortSignal }) {
  const pinned = await pinAddresses(context, target, signal);
  if (typeof pinned === "string") return { kind: "refused" as const, reason: pinned, message: describeRefusal(pinned) };
  const plain = await connectTo(context, line, target, pinned);
  const socket = target.isTls ? await secure(line, plain, { host: target.host, ca: context.ca }) : plain;
  const answer = await exchangePost(socket, target, post);
  // What this machine's ports say is for those whose machine it is, not for every account that may send there.
  const isForOwner = !pinned.isLoopback || context.owner !== "developer";
  return { kind: "answered" as const, ...answer, body: isForOwner ? answer.body : null };
}

/** Runs an exchange until the deadline, which ends whatever it is doing, and everything that it has opened. */
async function runUntil<Outcome>(deadlineMs: number, run: (line: Line, signal: AbortSignal) => Promise<Outcome>): Promise<Outcome | { kind: "failed"; reason: EgressFailure }> {
  const line = openLine();
  const controller = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new EgressTrouble("timeout")), deadlineMs);
  try {
    return await Promise.race([run(line, controller.signal), late]);
  } catch (error) {
    if (error instanceof EgressTrouble) return { kind: "failed", reason: error.reason };
    throw error;
  } finally {
    clearTimeout(timer);
    controller.abort();
    line.end();
  }
}

function readRanges(cidrs: readonly string[]): AddressRange[] {
  return cidrs.map((cidr) => {
    const range = readPrivateRange(cidr);
    if (!range) throw new Error(`${cidr} is not a range of private addresses`);
    return range;
  });
}

export function openEgress(options: EgressOptions): Egress {
  const { resolve = openResolver(), connect = connectByTcp, deadlineMs = deadlineMsUsual, elapsedMs = () => performance.now() } = options;
  const proxy = options.proxyUrl === undefined ? undefined : readProxy(options.proxyUrl);
  const ranges = readRanges(options.privateCidrs ?? []);
  const { loopbackFor } = options;
  const scopeOf = (owner: EndpointOwner): Scope => ({ allowLoopback: loopbackFor === "everybody" || loopbackFor === owner, privateRanges: owner === "operators" ? ranges : [] });
  const readUrl: Egress["readUrl"] = (given, owner) => {
    const url = readEndpointUrl(given, scopeOf(owner));
    if (url.kind !== "refused" || loopbackFor === "nobody") return url;
    // Of what the URL itself says, not of what a name resolves to: that would tell strangers about names of the inside.
    const withSetting = readEndpointUrl(given, { ...scopeOf(owner), allowLoopback: true });
    return withSetting.kind === "endpoint" ? { kind: "refused", reason: "loopback_off", message: describeRefusal("loopback_off") } : url;
  };

  return {
    readUrl,
    post: async (post) => {
      if (Buffer.byteLength(post.body) > bodyBytesMax) throw new Error(`a body has more than ${bodyBytesMax} bytes`);
      const startedMs = elapsedMs();
      const withDuration = <Outcome>(outcome: Outcome) => ({ ...outcome, durationMs: Math.round(elapsedMs() - startedMs) });
      const { owner } = post;
      // Again with every request: the settings may have changed since the URL was kept.
      const url = readUrl(post.url, owner);
      if (url.kind === "refused") return withDuration(url);
      const context: Context = { resolve, connect, scope: scopeOf(owner), proxy, ca: options.ca, owner };
      return withDuration(await runUntil(deadlineMs, (line, signal) => exchange(context, line, { target: url.target, post, signal })));
    },
  };
}
