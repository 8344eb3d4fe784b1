import { ChangeNoticesRequest, NoticesReply } from "@assay/contract/dashboard/notices.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { changeChoice, readChoices } from "../../people/notices/choices.ts";
import { isActiveOperator } from "../../people/require-operator.ts";
import type { DeveloperContext } from "./developer-context.ts";

/** What the signed-in person is told of by mail. */
export function addNoticeRoutes(app: TypedApp, { store, nowMs }: DeveloperContext): void {
  app.get("/notices", {
    schema: { hide: true, response: { 200: NoticesReply } },
    handler: ({ signedIn }) => readChoices(store, { accountId: signedIn.accountId, operator: isActiveOperator(signedIn) }),
  });
  app.put("/notices", {
    schema: { hide: true, body: ChangeNoticesRequest, response: { 200: NoticesReply } },
    async handler({ signedIn, body }) {
      const chooser = { accountId: signedIn.accountId, operator: isActiveOperator(signedIn) };
      await changeChoice(store, chooser, { ...body, nowMs: nowMs() });
      return readChoices(store, chooser);
    },
  });
}
