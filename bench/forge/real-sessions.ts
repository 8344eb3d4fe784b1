import { readSessionFile } from "../../training/read-sessions.ts";
import { isPerson } from "../../training/learn-gate.ts";
import { createDraws } from "../../apps/api/test/scoring/draw-sessions.ts";
import { browseShop } from "./honest-behaviours.ts";
import { measureByCollector } from "./honest-instruments.ts";
import { makeVisit, type Visit } from "./visit.ts";

const standInSessions = 40_000;

/** Sessions of people from the training data or, without that, of one simulated shop. */
export function readRealSessions(folder: string | undefined, seed: number): { sessions: Visit[]; origin: string } {
  if (folder === undefined) {
    const drawPerson = browseShop(createDraws(seed));
    return { sessions: Array.from({ length: standInSessions }, () => measureByCollector(drawPerson())), origin: `${standInSessions} sessions of a simulated shop` };
  }
  const { name, sessions } = readSessionFile(folder, "train.csv");
  // A call must have both of these.
  const people = sessions.filter(isPerson).filter(({ signals }) => signals.user_engagement !== undefined && signals.session_duration !== undefined);
  const visits = people.map(({ signals: { return_visitor: returning, ...signals } }) =>
    makeVisit({ ...(signals as { user_engagement: number; session_duration: number }), ...(returning !== undefined && { return_visitor: Number(returning) }) }),
  );
  return { sessions: visits, origin: `${visits.length} sessions of people in ${name}` };
}
