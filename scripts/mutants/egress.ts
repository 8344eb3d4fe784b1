import type { Mutant } from "./mutant.ts";

const room = "apps/api/src/webhooks/egress";
const judgeTest = `${room}/judge-address.test.ts`;
const urlTest = `${room}/read-endpoint-url.test.ts`;
const postTest = `${room}/post-outwards.test.ts`;
const connectTest = `${room}/connect-pinned.test.ts`;

export const egressMutants: readonly Mutant[] = [
  {
    name: "only the first address of a receiver's name is judged",
    file: `${room}/post-outwards.ts`,
    from: "const verdicts = addresses.map(",
    to: "const verdicts = addresses.slice(0, 1).map(",
    killedBy: [postTest, "of the inside are refused without a connection, alone and among public ones [threat: ssrf]"],
  },
  {
    name: "a receiver's name is resolved again to connect",
    file: `${room}/post-outwards.ts`,
    from: "  const plain = await connectTo(context, line, target, pinned);",
    to: "  const plain = await connectTo(context, line, target, { ...pinned, addresses: await findAddresses(context, target, signal) });",
    killedBy: [postTest, "are asked for once, so that a second answer changes nothing; the next request asks again [threat: dns-rebinding]"],
  },
  {
    name: "a connection to another address than the judged one is used",
    file: `${room}/connect-pinned.ts`,
    from: '  if (!isPinned) throw new EgressTrouble("unreachable");',
    to: "  if (!isPinned) socket.setKeepAlive(true);",
    killedBy: [postTest, "get no byte if the connection has reached another one [threat: dns-rebinding]"],
  },
  {
    name: "the proxy is asked for the name",
    file: `${room}/post-outwards.ts`,
    from: "{ proxy: context.proxy, address: addresses[0]!, port }",
    to: '{ proxy: context.proxy, address: "hooks.example.com", port }',
    killedBy: [connectTest, "is asked for the pinned address, never for the name, and TLS with the name goes through it [threat: dns-rebinding]"],
  },
  {
    name: "the proxy is asked for this machine",
    file: `${room}/post-outwards.ts`,
    from: "if (context.proxy && !isLoopback) return",
    to: "if (context.proxy) return",
    killedBy: [connectTest, "is not asked for what is refused, nor for this machine, which is another one there [threat: ssrf]"],
  },
  {
    name: "an answer of the proxy other than 200 opens the tunnel",
    file: `${room}/connect-pinned.ts`,
    from: "if (response.statusCode === 200 && head.length === 0) resolve();",
    to: "if (head.length === 0) resolve();",
    killedBy: [connectTest, "that refuses, answers nonsense or goes on forever is a failure of its own"],
  },
  {
    name: "IPv6 addresses are public outside of 2000::/3",
    file: `${room}/judge-address.ts`,
    from: "(isWithin(address, globalUnicast) && !isIsatap(address))",
    to: "!isIsatap(address)",
    killedBy: [judgeTest, "of every special range is refused at its start, at its end and in between [threat: ssrf]"],
  },
  {
    name: "an IPv4 address inside of an ISATAP address is not seen",
    file: `${room}/judge-address.ts`,
    from: "(isWithin(address, globalUnicast) && !isIsatap(address))",
    to: "isWithin(address, globalUnicast)",
    killedBy: [judgeTest, "of IPv6 with a special IPv4 address inside is refused, however it is embedded [threat: ssrf]"],
  },
  {
    name: "an address behind NAT64 is public whatever it leads to",
    file: `${room}/judge-address.ts`,
    from: 'if (isPublic(translated)) return "public";',
    to: 'if (isPublic(translated) || translated !== reached) return "public";',
    killedBy: [judgeTest, "of IPv6 with a special IPv4 address inside is refused, however it is embedded [threat: ssrf]"],
  },
  {
    name: "an IPv6 address with dots is read as ipaddr.js does, not as the system",
    file: `${room}/judge-address.ts`,
    from: "ipaddr.parse(isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text)",
    to: "ipaddr.parse(text)",
    killedBy: [judgeTest, "with a zone, in brackets or in another notation than resolvers use is none"],
  },
  {
    name: "a private range opens instance metadata",
    file: `${room}/judge-address.ts`,
    from: 'if (metadataAddresses.has(reached.toString()) || metadataAddresses.has(translated.toString())) return "refused";',
    to: 'if (metadataAddresses.has(translated.toString()) && isPublic(translated)) return "refused";',
    killedBy: [judgeTest, "with private ranges allows them, and never instance metadata, loopback or a translator's way to them [threat: ssrf]"],
  },
  {
    name: "the private ranges are open to developers' endpoints",
    file: `${room}/post-outwards.ts`,
    from: 'privateRanges: owner === "operators" ? ranges : []',
    to: "privateRanges: owner === undefined ? [] : ranges",
    killedBy: [postTest, "may be private for operators' endpoints where a setting says so, and for nobody else's [threat: ssrf]"],
  },
  {
    name: "receivers may have any port",
    file: `${room}/read-endpoint-url.ts`,
    from: 'if (!isLater && !mayUsePort(port, verdict ?? "public")) return refuse("port_not_allowed");',
    to: 'if (port === 0) return refuse("port_not_allowed");',
    killedBy: [urlTest, "has port 443 or 8443, so that no other service is spoken to [threat: ssrf]"],
  },
  {
    name: "an operators' endpoint reaches any port of a public address",
    file: `${room}/post-outwards.ts`,
    from: "if (!verdicts.every((verdict) => mayUsePort(target.port, verdict))) return",
    to: "if (target.port === 0) return",
    killedBy: [postTest, "may be private for operators' endpoints where a setting says so, and for nobody else's [threat: ssrf]"],
  },
  {
    name: "names under localhost are receivers like any other",
    file: `${room}/read-endpoint-url.ts`,
    from: 'host === "localhost" || host.endsWith(".localhost")',
    to: 'host === "localhost"',
    killedBy: [urlTest, "with a host of the inside is refused in every notation [threat: ssrf]"],
  },
  {
    name: "an endless answer is read to its end",
    file: `${room}/exchange-post.ts`,
    from: "    if (length < bodyBytesMax) return;",
    to: "    if (length >= 0) return;",
    killedBy: [postTest, "keeps 4 KB of an answer and closes: of a gigabyte little is even sent [threat: endless-answer]"],
  },
  {
    name: "the deadline ends nothing but connecting",
    file: `${room}/post-outwards.ts`,
    from: "    return await Promise.race([run(line, controller.signal), late]);",
    to: "    return await run(line, controller.signal);",
    killedBy: [postTest, "ends an exchange in which the body comes by the byte [threat: endless-answer]"],
  },
  {
    name: "a redirect is followed",
    file: `${room}/exchange-post.ts`,
    from: "  const response = await promise;",
    to: "  const response = await promise;\n  if (response.headers.location) await fetch(response.headers.location, { method: \"POST\" });",
    killedBy: [postTest, "follows no redirect: its target is never contacted [threat: redirect-inwards]"],
  },
  {
    name: "a socket stays open after the deadline",
    file: `${room}/connect-pinned.ts`,
    from: "      for (const socket of sockets) socket.destroy();",
    to: "      sockets.length = 0;",
    killedBy: [postTest, "includes connecting"],
  },
  {
    name: "any certificate will do",
    file: `${room}/connect-pinned.ts`,
    from: "      rejectUnauthorized: true,",
    to: "      rejectUnauthorized: false,",
    killedBy: [connectTest, "sends nothing to a receiver whose certificate is another name's, expired or not trusted [threat: dns-rebinding]"],
  },
];
