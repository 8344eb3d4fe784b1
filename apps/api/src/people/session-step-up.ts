import type { preHandlerAsyncHookHandler } from "fastify";
import { Failure } from "../failure/failure.ts";
import { msPerMinute } from "../formats/time.ts";
import { noteAction } from "../register/audit.table.ts";
import type { Store } from "../store/store.ts";
import type { PeopleContext } from "./people-context.ts";
import { type Caller, writeWithNewToken } from "./sessions.ts";
import { stepUpSignIn, useStepUp } from "./sign-ins.table.ts";
import { proveIdentity, type StepUp } from "./step-up.ts";

/** A confirmation lasts for as long as it is used, and never longer than the second of these. */
export const stepUpLife = { idleMs: 10 * msPerMinute, wholeMs: 60 * msPerMinute } as const;
/** How far the clocks of two nodes may be apart. A confirmation that is later than this is not believed. */
const clockSlackMs = msPerMinute;

/**
 * Asks for the password and, where one is enrolled, the second factor, and remembers it for this session and no other. Its
 * token changes with it: whoever copied the former one has nothing that was confirmed.
 */
export async function stepUpSession(context: PeopleContext, caller: Caller, given: StepUp): Promise<void> {
  const { store, nowMs } = context;
  await proveIdentity(context, caller.signedIn, given);
  const { accountId, sessionId } = caller.signedIn;
  const note = { actorAccountId: accountId, action: "account.step_up", subject: accountId, detail: {}, nowMs: nowMs() };
  await writeWithNewToken(context, caller, [stepUpSignIn(store.db, { id: sessionId, nowMs: nowMs() }), noteAction(store.db, note)]);
}

/**
 * For requests that move money, after `requireSignIn`: 403 `step_up_required` unless the session was confirmed a short
 * time ago. One request uses it once, however much it moves. A request whose body is wrong does not prolong it.
 */
export function requireStepUp({ store, nowMs }: { store: Store; nowMs: () => number }): preHandlerAsyncHookHandler {
  return async ({ signedIn }) => {
    const now = nowMs();
    const bounds = { nowMs: now, steppedUpAfterMs: now - stepUpLife.wholeMs, usedAfterMs: now - stepUpLife.idleMs, untilMs: now + clockSlackMs };
    const [used] = await store.write([useStepUp(store.db, { id: signedIn.sessionId, token: signedIn.storedToken, ...bounds })]);
    if (used === 0) throw new Failure("step_up_required", "Confirm with your password, and a code of your second factor if you have one, to go on.");
  };
}
