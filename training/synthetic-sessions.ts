import { seededRandom } from "./random.ts";
import type { Session, SessionFile } from "./read-sessions.ts";

/** Synthetic sessions in the format of the real files, for tests without the data. */
export function syntheticFiles(seed: number, perSource: number): { train: SessionFile; transfer: SessionFile } {
  const random = seededRandom(seed);
  const draw = (source: string, make: (isOne: boolean) => Session["signals"], task: Session["task"]) =>
    Array.from({ length: perSource }, (_, index): Session => {
      const isOne = random() < 0.5;
      return { rowId: `${source}-${index}`, signals: make(isOne), label: isOne ? 1 : 0, task, source };
    });
  const amount = (isOne: boolean, typical: number) => Math.floor(typical * random() * random() * (isOne ? 4 : 1));
  const library = draw("auth_library_logs", (isOne) => librarySession(isOne, random, amount), "human");
  const shoppers = draw(
    "uci_online_shoppers",
    (isOne) => ({
      user_engagement: Math.min(1, 0.6 * random() + (isOne ? 0.4 : 0.2)),
      session_duration: amount(isOne, 900),
      page_views: 1 + amount(isOne, 20),
      return_visitor: random() < 0.7,
    }),
    "engaged",
  );
  const gstore = draw(
    "gstore_ga360",
    (isOne) => ({
      session_duration: amount(isOne, 400),
      page_views: 1 + amount(isOne, 8),
      return_visitor: random() < 0.3,
    }),
    "engaged",
  );
  const reading = draw(
    "scroll_reading",
    (isOne) => ({ session_duration: 90 + amount(isOne, 200), scroll_depth: random() }),
    "engaged",
  );
  const file = (name: string, sessions: Session[]): SessionFile => ({ name, sha256: "0".repeat(64), sessions });
  return { train: file("train.csv", [...library, ...shoppers]), transfer: file("transfer.csv", [...gstore, ...reading]) };
}

function librarySession(
  isOne: boolean,
  random: () => number,
  amount: (isOne: boolean, typical: number) => number,
): Session["signals"] {
  const session_duration = random() < (isOne ? 0.1 : 0.5) ? 0 : 1 + amount(isOne, 200);
  return {
    session_duration,
    interaction_count: amount(isOne, 10),
    page_views: amount(isOne, 6),
    // As in the real source, a session of zero length has no engagement.
    ...(session_duration > 0 ? { user_engagement: isOne ? 0.4 + 0.6 * random() : random() } : {}),
  };
}
