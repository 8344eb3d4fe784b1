import type { preValidationHookHandler } from "fastify";
import { Failure } from "../failure/failure.ts";
import { findPersonalData } from "./find-personal-data.ts";

/** Refuses a body that has a field for personal data, whatever else is right or wrong with it. */
export function guardPersonalData(documented: ReadonlySet<string>): preValidationHookHandler {
  return (request, _reply, done) => {
    const finding = findPersonalData(request.body, documented);
    if (!finding) return done();
    const message = finding.repeatable
      ? `Remove the field ${finding.path}: personal data must not be sent.`
      : `Remove a field whose name is personal data itself${finding.path === "" ? "" : ` (in ${finding.path})`}: personal data must not be sent.`;
    done(new Failure("personal_data", message));
  };
}
