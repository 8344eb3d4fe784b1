import Type from "typebox";
import { rotateTrackingKey } from "../../ads/serving/rotate-tracking-key.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { OperatorContext } from "./operator-context.ts";
import { isoTime } from "../../formats/time.ts";

const RotateReply = Type.Object({ id: Type.String(), created_at: Type.String({ format: "date-time" }) });

/** The keys themselves are listed with the rest of the system. */
export function addTrackingKeyRoutes(app: TypedApp, { store, nowMs }: OperatorContext): void {
  app.post("/tracking-keys/rotate", {
    schema: { hide: true, response: { 200: RotateReply } },
    async handler({ signedIn }) {
      const { id, createdMs } = await rotateTrackingKey(store, { actorAccountId: signedIn.accountId, nowMs: nowMs() });
      return { id, created_at: isoTime(createdMs) };
    },
  });
}
