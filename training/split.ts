import { hashText } from "./random.ts";
import type { Session } from "./read-sessions.ts";

/** One session in four is held out of every fit. */
const heldOutOf = 4;
export const foldCount = 4;

/** Depends only on a hash of the row's id, so that added rows do not move the others. */
export function splitHeldOut(sessions: readonly Session[]): { fitting: Session[]; heldOut: Session[] } {
  const isHeldOut = (session: Session) => hashText(`kept out ${session.rowId}`) % heldOutOf === 0;
  return {
    fitting: sessions.filter((session) => !isHeldOut(session)),
    heldOut: sessions.filter(isHeldOut),
  };
}

export const foldOf = (session: Session) => hashText(`fold ${session.rowId}`) % foldCount;
