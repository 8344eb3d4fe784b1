import { deliveriesPageMax } from "@assay/contract/dashboard/webhook-limits.ts";
import type { DeliveryDetailReply, DeliveryItem } from "@assay/contract/dashboard/webhooks.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { readConfig } from "../config.ts";
import { Failure, type FailureCode } from "../failure/failure.ts";
import { isoTime, isoTimeOrNull, parseTime } from "../formats/time.ts";
import { selectEmails } from "../register/accounts.table.ts";
import { createSealer, type Sealer } from "../secrets/sealer.ts";
import { readOrMakeSecret } from "../start/prepare-data-dir.ts";
import type { Store } from "../store/store.ts";
import { openEgress } from "../webhooks/egress/post-outwards.ts";
import { selectAllEndpoints, selectAudienceOf, selectEndpoints, type ShownEndpoint } from "../webhooks/endpoints/endpoints.table.ts";
import { operators } from "../webhooks/events/write-events.ts";
import { redeliver, replay } from "../webhooks/manage/ask-again.ts";
import { describeEndpoint } from "../webhooks/manage/describe-endpoint.ts";
import { changeEndpoint, createEndpoint, type EndpointContext, removeEndpoint, rotateEndpointSecret, sendTest } from "../webhooks/manage/manage-endpoints.ts";
import { listDeliveries, readDelivery } from "../webhooks/manage/read-log.ts";
import { defineCommand, defineFamily, type JsonOption, wholeNumber } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { countOf, pairLines, printJson, printLines, printRows, shortTime, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { openSealer } from "./secret-key.ts";
import { withStore } from "./with-store.ts";

type OwnerOptions = JsonOption & { email?: string; operators?: true };

/** What a person can do something about. */
const refusals: ReadonlySet<FailureCode> = new Set(["invalid_request", "not_found", "forbidden", "rate_limit_exceeded"]);

const withWebhooks = <Result>(work: (opened: { store: Store; nowMs: number }) => Promise<Result>): Promise<Result> =>
  withStore((opened) =>
    work(opened).catch((error: Error) => {
      throw error instanceof Failure && refusals.has(error.code) ? new Refusal(error.message) : error;
    }),
  );

/** An embedded store that was never served has no secret yet: the service finds this one when it starts. */
function sealerOfInstallation(): Sealer {
  const { databaseUrl, secretKey, dataDir, previousSecretKeys } = readConfig();
  if (databaseUrl !== undefined || secretKey !== undefined) return openSealer();
  return createSealer({ secretKey: readOrMakeSecret(dataDir), previous: previousSecretKeys });
}

function contextOf(store: Store): EndpointContext {
  const { webhookLoopbackFor, egressProxyUrl, webhookPrivateCidrs } = readConfig();
  const { readUrl } = openEgress({ loopbackFor: webhookLoopbackFor, proxyUrl: egressProxyUrl, privateCidrs: webhookPrivateCidrs });
  return { store, sealer: sealerOfInstallation(), readUrl };
}

/** Undefined: nobody was named. */
async function findAudience(store: Store, { email, operators: isOperators }: OwnerOptions): Promise<string | undefined> {
  if (isOperators && email !== undefined) throw new Refusal("give --email or --operators, not both");
  if (isOperators) return operators;
  return email === undefined ? undefined : (await findAccount(store, email)).id;
}

async function findOwner(store: Store, endpointId: string): Promise<string> {
  const row = await selectAudienceOf(store.db, endpointId).executeTakeFirst();
  if (!row) throw new Refusal(`no webhook endpoint has the id ${endpointId}`);
  return row.audience;
}

/** Runs a change of one endpoint, in the name of the command line. */
const onEndpoint = <Result>(endpointId: string, change: (store: Store, named: { endpointId: string; audience: string; actorAccountId: null; nowMs: number }) => Promise<Result>): Promise<Result> =>
  withWebhooks(async ({ store, nowMs }) => change(store, { endpointId, audience: await findOwner(store, endpointId), actorAccountId: null, nowMs }));

const secretLine = "The secret is shown only once: it is stored encrypted.";

async function runCreate(options: OwnerOptions & { url: string; events?: string[] }): Promise<void> {
  const { url, events = null } = options;
  const created = await withWebhooks(async ({ store, nowMs }) => {
    const audience = await findAudience(store, options);
    if (audience === undefined) throw new Refusal("say whose endpoint it is: --email, or --operators for the operators' own");
    if (options.email !== undefined) {
      const { status, verified_at: verifiedAt, email } = await findAccount(store, options.email);
      if (verifiedAt === null) throw new Refusal(`the address ${email} is not verified yet: only verified accounts can have endpoints`);
      if (status !== "active") throw new Refusal(`the account ${email} is ${status}`);
    }
    return { account: audience, ...(await createEndpoint(contextOf(store), { audience, actorAccountId: null, nowMs, url, types: events })), createdMs: nowMs };
  });
  const { account, endpointId, eventId, secret, createdMs } = created;
  if (options.json) return printJson({ id: endpointId, account, secret, url, types: events, test_event_id: eventId, created_at: isoTime(createdMs) });
  return printLines([...pairLines({ Endpoint: endpointId, Account: account, Secret: secret, Events: events?.join(", ") ?? "all", Test: `${eventId} is on its way` }), secretLine]);
}

type ListedEndpoint = ShownEndpoint & { owner: string };

/** Whose they are: an address, or the operators. */
async function nameOwners(store: Store, endpoints: readonly ShownEndpoint[]): Promise<ListedEndpoint[]> {
  const accountIds = [...new Set(endpoints.map(({ audience }) => audience))].filter((audience) => audience !== operators);
  const rows = accountIds.length === 0 ? [] : await selectEmails(store.db, accountIds).execute();
  const emails = new Map(rows.map(({ id, email }) => [id, email]));
  return endpoints.map((endpoint) => ({ ...endpoint, owner: emails.get(endpoint.audience) ?? endpoint.audience }));
}

async function runList(options: OwnerOptions): Promise<void> {
  await withWebhooks(async ({ store, nowMs }) => {
    const audience = await findAudience(store, options);
    const readPage = async (page: { afterId: string; limit: number }) =>
      nameOwners(store, await (audience === undefined ? selectAllEndpoints(store.db, page) : selectEndpoints(store.db, audience).where("id", ">", page.afterId)).execute());
    await printRows(readPage, {
      json: options.json === true,
      describe({ owner, ...endpoint }) {
        const { endpoint_id: id, ...described } = describeEndpoint(endpoint, nowMs);
        return { id, owner, ...described };
      },
      header: ["Endpoint", "Owner", "State", "Last success", "Failing since", "Events", "URL"],
      cellsOf: ({ owner, ...endpoint }) => {
        const { types } = describeEndpoint(endpoint, nowMs);
        return [endpoint.id, owner, endpoint.state, shortTime(endpoint.last_success_at), endpoint.failing_since === null ? "" : shortTime(endpoint.failing_since), types === null ? "all" : countOf(types.length, "type", "types"), endpoint.url];
      },
    });
  });
}

async function runTest(endpointId: string, options: JsonOption): Promise<void> {
  const { eventId } = await onEndpoint(endpointId, (store, named) => sendTest({ store }, named));
  return options.json ? printJson({ id: endpointId, event_id: eventId }) : printLines([`${eventId} is on its way. webhook log ${endpointId} ${eventId} shows what became of it.`]);
}

async function runRedeliver(endpointId: string, eventId: string, options: JsonOption): Promise<void> {
  await onEndpoint(endpointId, (store, named) => redeliver(store, { ...named, eventId }));
  return options.json ? printJson({ id: endpointId, event_id: eventId, state: "pending" }) : printLines([`${eventId} is on its way again.`]);
}

async function runReplay(endpointId: string, options: JsonOption & { from: number }): Promise<void> {
  const { events, queued, nextFromMs } = await onEndpoint(endpointId, (store, named) => replay(store, { ...named, fromMs: options.from }));
  if (options.json) return printJson({ id: endpointId, events, queued, next_from: isoTimeOrNull(nextFromMs) });
  return printLines([
    `${countOf(queued, "event is", "events are")} on the way again, of ${events} since then.`,
    ...(nextFromMs === null ? [] : [`That is as many as one replay takes: go on with --from ${isoTime(nextFromMs)}`]),
  ]);
}

async function runRotate(endpointId: string, options: JsonOption): Promise<void> {
  const { secret, previousUntilMs } = await onEndpoint(endpointId, (store, named) => rotateEndpointSecret(contextOf(store), named));
  if (options.json) return printJson({ id: endpointId, secret, previous_secret_until: isoTime(previousUntilMs) });
  return printLines([...pairLines({ Endpoint: endpointId, Secret: secret }), secretLine, `The old secret signs too until ${shortTime(previousUntilMs)}.`]);
}

const runState = (state: "active" | "paused") => async (endpointId: string, options: JsonOption): Promise<void> => {
  await onEndpoint(endpointId, (store, named) => changeEndpoint(contextOf(store), { ...named, state }));
  return options.json ? printJson({ id: endpointId, state }) : printLines([`${endpointId} is ${state}.`]);
};

async function runDelete(endpointId: string, options: JsonOption): Promise<void> {
  await onEndpoint(endpointId, (store, named) => removeEndpoint({ store }, named));
  return options.json ? printJson({ id: endpointId, deleted: true }) : printLines([`${endpointId} is deleted, with its log.`]);
}

const answerOf = ({ last_status: status, last_error: error }: DeliveryItem): string => (status === null ? (error ?? "") : String(status));

function detailLines({ log, body, ...delivery }: DeliveryDetailReply): string[] {
  const attempts = log.map((each) => [String(each.attempt), each.at, each.status === null ? (each.error ?? "") : String(each.status), `${each.duration_ms} ms`, each.response === null ? "" : JSON.stringify(each.response)]);
  return [
    ...pairLines({ Event: delivery.event_id, Type: delivery.type, State: delivery.state, URL: delivery.url, "Next attempt": delivery.next_at ?? "none" }),
    "",
    body,
    "",
    ...tableLines(["Attempt", "At", "Answer", "Duration", "Body"], attempts),
  ];
}

/** What a developer's receiver answers is for that developer, in the dashboard. */
const withoutOthersAnswers = (delivery: DeliveryDetailReply, audience: string): DeliveryDetailReply =>
  audience === operators ? delivery : { ...delivery, log: delivery.log.map((each) => ({ ...each, response: null })) };

type LogOptions = JsonOption & { state?: DeliveryItem["state"]; limit: number };

async function runLog(endpointId: string, eventId: string | undefined, options: LogOptions): Promise<void> {
  if (eventId !== undefined) {
    const delivery = await onEndpoint(endpointId, async (store, named) => withoutOthersAnswers(await readDelivery(store, { ...named, eventId }), named.audience));
    return options.json ? printJson(delivery) : printLines(detailLines(delivery));
  }
  const query = { endpoint_id: endpointId, limit: String(options.limit), ...(options.state && { state: options.state }) };
  const { deliveries } = await onEndpoint(endpointId, (store, named) => listDeliveries(store, { ...named, query }));
  if (options.json) return printJson(deliveries);
  return printLines(
    tableLines(
      ["Event", "Type", "At", "State", "Attempts", "Answer"],
      deliveries.map((each) => [each.event_id, each.type, each.at, each.state, String(each.attempts), answerOf(each)]),
    ),
  );
}

/** Commas separate them. */
const parseEvents = (text: string): string[] => text.split(",").map((type) => type.trim());

function parseFrom(text: string): number {
  try {
    return parseTime(text, "it");
  } catch {
    throw new InvalidArgumentError("It must be a time such as 2026-01-30T12:00Z.");
  }
}

export function addWebhookCommands(program: Command): void {
  const family = defineFamily(program, { name: "webhook", summary: "endpoints that are told of events" });
  const example = "wh_0Vb15o2Z000XQIg2XdJLd8";
  const exampleEvent = "evt_0Vb16a9K000pT4nW7yRcQe";
  const ofEndpoint = (command: { name: string; summary: string; example: string }) => defineCommand(family, command).argument("<endpoint>", "its id, as webhook list shows it");
  defineCommand(family, {
    name: "create",
    summary: "create an endpoint and send it a test event",
    example: "webhook create --email dev@example.com --url https://hooks.example.com/assay --events payout.paid,hold.opened",
  })
    .option("--email <address>", "the account's e-mail address")
    .option("--operators", "an endpoint for what concerns operators, instead of --email")
    .requiredOption("--url <url>", "where events are sent: https; on this machine http too, for the developer of the first start, or for all with WEBHOOK_LOOPBACK=on")
    .option("--events <types>", "the events that it gets, separated by commas; all if left out", parseEvents)
    .action(runCreate);
  defineCommand(family, { name: "list", summary: "list endpoints and how they fare", example: "webhook list --email dev@example.com" })
    .option("--email <address>", "of one account")
    .option("--operators", "the operators' own")
    .action(runList);
  ofEndpoint({ name: "test", summary: "send a test event to an endpoint", example: `webhook test ${example}` }).action(runTest);
  ofEndpoint({ name: "log", summary: "list what was sent, or show one event's attempts", example: `webhook log ${example} ${exampleEvent}` })
    .argument("[event]", "its id: shows what was sent and each answer; of a developer's receiver its status only")
    .addOption(new Option("--state <state>", "only these").choices(["pending", "delivered", "failed"]))
    .option("--limit <number>", "how many, the newest first", wholeNumber({ from: 1, to: deliveriesPageMax }), 50)
    .action(runLog);
  ofEndpoint({ name: "redeliver", summary: "send one event again", example: `webhook redeliver ${example} ${exampleEvent}` })
    .argument("<event>", "its id, as webhook log shows it")
    .action(runRedeliver);
  ofEndpoint({ name: "replay", summary: "send all events since a time again", example: `webhook replay ${example} --from 2026-01-30T12:00Z` })
    .requiredOption("--from <time>", "ISO 8601, at most 30 days ago", parseFrom)
    .action(runReplay);
  ofEndpoint({ name: "rotate", summary: "replace the secret, with an overlap of 24 h", example: `webhook rotate ${example}` }).action(runRotate);
  ofEndpoint({ name: "pause", summary: "send an endpoint nothing for now", example: `webhook pause ${example}` }).action(runState("paused"));
  ofEndpoint({ name: "resume", summary: "switch a paused or disabled endpoint on", example: `webhook resume ${example}` }).action(runState("active"));
  ofEndpoint({ name: "delete", summary: "delete an endpoint with its log", example: `webhook delete ${example}` }).action(runDelete);
}
