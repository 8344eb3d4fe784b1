/** What an operator does with money needs a session that was confirmed a short time ago: requests ask for it here, and a dialog answers. */

/** Resolves with whether the session is confirmed now. */
type Asker = () => Promise<boolean>;

let asker: Asker | undefined;
let asked: Promise<boolean> | undefined;

/** Sets who asks the person, and returns what takes that back. */
export function answerStepUps(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = undefined;
  };
}

/** Requests that are refused at the same time ask once. */
export function askForStepUp(): Promise<boolean> {
  asked ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asked = undefined;
  });
  return asked;
}
