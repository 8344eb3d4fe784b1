import { readConfig } from "../config.ts";
import { Failure } from "../failure/failure.ts";
import type { Store } from "../store/store.ts";
import type { JsonOption } from "./define-command.ts";
import { findOperator } from "./find-operator.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

export type OperatorOption = JsonOption & { operator?: string };
type Actor = { actorAccountId: string; fourEyes: boolean; nowMs: number };

/** In an operator's name. What a request would be refused for is a refusal here too. */
export const asOperator = <Result>(options: OperatorOption, act: (store: Store, actor: Actor) => Promise<Result>): Promise<Result> =>
  withStore(async ({ store, nowMs }) => {
    const { accountId: actorAccountId } = await findOperator(store, options.operator);
    return act(store, { actorAccountId, fourEyes: readConfig().payoutFourEyes, nowMs }).catch((error: Error) => {
      throw error instanceof Failure && (error.code === "invalid_request" || error.code === "not_found" || error.code === "forbidden") ? new Refusal(error.message) : error;
    });
  });
