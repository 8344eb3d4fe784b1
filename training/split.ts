import { hashText } from "./random.ts";
import type { Session } from "./read-sessions.ts";

/** One session in four is kept out of everything that is fitted. */
const keptOutOf = 4;
export const foldCount = 4;

/** Decided by a hash of the row's id alone, so that rows added later never move the others. */
export function splitKeptOut(sessions: readonly Session[]): { fitting: Session[]; keptOut: Session[] } {
  const isKeptOut = (session: Session) => hashText(`kept out ${session.rowId}`) % keptOutOf === 0;
  return {
    fitting: sessions.filter((session) => !isKeptOut(session)),
    keptOut: sessions.filter(isKeptOut),
  };
}

export const foldOf = (session: Session) => hashText(`fold ${session.rowId}`) % foldCount;
