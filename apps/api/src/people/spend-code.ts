import type { FastifyRequest } from "fastify";
import type { PeopleContext } from "./people-context.ts";
import { spendStep } from "./sign-ins.table.ts";
import { stepOfCode } from "./totp.ts";

/** What better-auth takes for a wrong code, whatever the secret is. */
const noCode = "";

/**
 * Uses an authenticator's code up, before anything is done for it: of all who bring the same one, whenever and to
 * whatever node, the first gets it back, and the others a code that is wrong. So a code that was used is counted and
 * answered like any other wrong one, and so is one of an earlier step than the last one used.
 */
export async function spendCode(context: PeopleContext, request: FastifyRequest, code: string): Promise<string> {
  const { auth, headersOf } = await context.auth();
  const factor = await auth.api.readSecondFactor({ headers: headersOf(request) });
  // Without one, better-auth says so in its own words.
  if (!factor) return code;
  // The machine's clock, not the store's: it is the one that better-auth looks at next.
  const step = stepOfCode(Buffer.from(factor.secret), code, Date.now());
  if (step === undefined) return noCode;
  const [spent] = await context.store.write([spendStep(context.store.db, { factorId: factor.id, step })]);
  return spent === 1 ? code : noCode;
}
