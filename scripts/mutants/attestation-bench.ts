import type { Mutant } from "./mutant.ts";

const gate = "apps/api/src/attestation/page-gate.ts";
const gateTest = "apps/api/src/attestation/page-gate.test.ts";
const lane = "apps/api/src/lane/beat-lane.ts";
const beats = "apps/api/test/lane/beats.test.ts";

export const attestationBenchMutants: readonly Mutant[] = [
  {
    name: "all requests of pages that have arrived enter in one turn",
    file: gate,
    from: "Math.min(waiting.length, next + perTurn)",
    to: "waiting.length",
    killedBy: [gateTest, "enter in the order of their arrival, a few per turn of the event loop [threat: beat-flood]"],
  },
  {
    name: "a flood of beats is refused as fast as it comes",
    file: gate,
    from: "refusals >= refusalsMax",
    to: "refusals >= 0",
    killedBy: [gateTest, "of a network that sends too much are refused after a while, so that it sends no faster [threat: beat-flood]"],
  },
  {
    name: "any number of refusals wait",
    file: gate,
    from: "refusals += 1;",
    to: "",
    killedBy: [gateTest, "are refused at once while too many refusals wait, and after a while again when they have left"],
  },
  {
    name: "any number of requests of pages wait",
    file: gate,
    from: "waiting.length - next >= waitingMax",
    to: "waiting.length - next > Infinity",
    killedBy: [gateTest, "are refused while too many wait, whoever sent those [threat: beat-flood]"],
  },
  {
    name: "a request of a page that its route takes over counts twice",
    file: gate,
    from: "request[admitted] = tags;",
    to: "",
    killedBy: [gateTest, "that were let in before neither wait nor count again"],
  },
  {
    name: "another site's page reads on the lane why it is refused",
    file: lane,
    from: "isReadable: !isForbidden(failure)",
    to: "isReadable: true",
    killedBy: [beats, "of a page whose origin is not the site's cannot be read by it, one of the site's can"],
  },
  {
    name: "the lane notes no relays of beats",
    file: lane,
    from: "isProxied: isProxied({ headers: request.headers, ips: about.addresses })",
    to: "isProxied: false",
    killedBy: [beats, "of a proxy that is not trusted is noted in the session, whichever way it goes"],
  },
  {
    name: "the lane takes the first address that a beat claims to come from",
    file: lane,
    from: "addresses?.at(-1)",
    to: "addresses?.at(0)",
    killedBy: [beats, "too many of one network are refused alike, until the next step [threat: beat-flood]"],
  },
  {
    name: "the lane never counts a beat as answered",
    file: lane,
    from: "      noteAnswer(request.socket);\n      if (response.writableFinished)",
    to: "      if (response.writableFinished)",
    killedBy: [beats, "too many of one network are refused alike, until the next step [threat: beat-flood]"],
  },
];
