import { OwnCalibrationReply, SwitchCalibrationRequest } from "@assay/contract/dashboard/calibration.ts";
import { Failure } from "../../failure/failure.ts";
import { msPerHour, parseTime } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { TakeTurn } from "../../queues/take-turns.ts";
import { selectSwitch } from "../../scoring/calibration/calibrations.table.ts";
import { describeOwnCalibration } from "../../scoring/calibration/describe-own.ts";
import { switchCalibrationOff, switchCalibrationOn } from "../../scoring/calibration/switch-calibration.ts";
import type { DeveloperContext } from "./developer-context.ts";

export type CalibrationContext = DeveloperContext & { reportInTurn: TakeTurn };

/** How old what was looked at may be. */
const previewMsMax = msPerHour;

function parseOutcomesTo({ outcomes_to: text }: SwitchCalibrationRequest, nowMs: number): number {
  const outcomesToMs = parseTime(text, "outcomes_to");
  if (outcomesToMs > nowMs || outcomesToMs < nowMs - previewMsMax) throw new Failure("invalid_request", "outcomes_to must be of a preview of the last hour");
  return outcomesToMs;
}

export function addCalibrationRoutes(app: TypedApp, context: CalibrationContext): void {
  const { store, models, nowMs, authenticator, channel, reportInTurn } = context;
  const describe = (accountId: string) => describeOwnCalibration(store, { accountId, models, nowMs: nowMs() });

  async function modelOf(accountId: string) {
    const { pinned_model: pinnedModel, created_at: accountCreatedMs } = await selectSwitch(store.db, accountId).executeTakeFirstOrThrow();
    return models.explainChoice({ pinnedModel, accountCreatedMs }, nowMs()).model;
  }

  /** Other nodes poll what was announced in the store. */
  function tellNodes(accountId: string): void {
    authenticator.forget(`account:${accountId}`);
    channel?.publish(`account:${accountId}`);
  }

  app.get("/calibration", {
    schema: { hide: true, response: { 200: OwnCalibrationReply } },
    handler: ({ signedIn }) => describe(signedIn.accountId),
  });
  app.put("/calibration", {
    schema: { hide: true, body: SwitchCalibrationRequest, response: { 200: OwnCalibrationReply } },
    handler: ({ signedIn: { accountId }, body }) =>
      reportInTurn(accountId, async () => {
        const atMs = nowMs();
        const outcomesToMs = parseOutcomesTo(body, atMs);
        await switchCalibrationOn(store, { accountId, model: await modelOf(accountId), outcomesToMs, nowMs: atMs });
        tellNodes(accountId);
        return describe(accountId);
      }),
  });
  app.delete("/calibration", {
    schema: { hide: true, response: { 200: OwnCalibrationReply } },
    handler: ({ signedIn: { accountId } }) =>
      reportInTurn(accountId, async () => {
        await switchCalibrationOff(store, { accountId, nowMs: nowMs() });
        tellNodes(accountId);
        return describe(accountId);
      }),
  });
}
