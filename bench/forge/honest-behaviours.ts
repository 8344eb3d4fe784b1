/** How people behave on different kinds of sites, measured exactly. An instrument then rounds, hides or coarsens it. */
import type { Draws } from "../../apps/api/test/scoring/draw-sessions.ts";
import { around, between, chance, makeVisit, pick, shareOf, type Visit, wholeBetween } from "./visit.ts";

/** A site draws its own habits once, then its visitors. */
export type Behaviour = (draws: Draws) => () => Visit;

const atMost = (seconds: number): number => Math.min(seconds, 40_000);

/** Somebody who leaves at once. */
export const drawBounce = (draws: Draws): Visit =>
  makeVisit({ user_engagement: 0, session_duration: between(draws, 0, 8), scroll_depth: 0, interaction_count: 0, page_views: 1, return_visitor: Number(chance(draws, 0.2)) });

export const browseShop: Behaviour = (draws) => {
  const [bounces, median, spread, pages] = [between(draws, 0.15, 0.55), between(draws, 60, 300), between(draws, 0.9, 1.5), between(draws, 2, 7)];
  const returning = between(draws, 0.2, 0.7);
  return () => {
    if (chance(draws, bounces)) return drawBounce(draws);
    const seen = Math.max(1, Math.round(around(draws, pages, 0.7)));
    return makeVisit({
      user_engagement: shareOf(1 - draws.next() ** 2 * 0.8),
      session_duration: atMost(around(draws, median, spread)),
      scroll_depth: shareOf(around(draws, 0.5, 0.5)),
      interaction_count: Math.floor(around(draws, seen * 2, 0.8)),
      page_views: seen,
      return_visitor: Number(chance(draws, returning)),
    });
  };
};

export const readBlog: Behaviour = (draws) => {
  const [bounces, median] = [between(draws, 0.3, 0.75), between(draws, 40, 240)];
  return () => {
    if (chance(draws, bounces)) return drawBounce(draws);
    const isToTheEnd = chance(draws, 0.3);
    return makeVisit({
      user_engagement: shareOf(0.2 + 0.8 * draws.next()),
      session_duration: atMost(around(draws, median, 0.9)),
      scroll_depth: isToTheEnd ? 1 : draws.next(),
      interaction_count: Math.floor(around(draws, 2, 1)),
      page_views: chance(draws, 0.8) ? 1 : 2,
      return_visitor: Number(chance(draws, 0.3)),
    });
  };
};

/** Rounds of a fixed length, with nothing but rounds between opening and closing. */
export const playRounds: Behaviour = (draws) => {
  const [seconds, again, moves, leaves] = [pick(draws, [30, 60, 90, 120, 180]), between(draws, 0.2, 0.6), pick(draws, [0, 5, 10, 20]), between(draws, 0.05, 0.3)];
  return () => {
    let rounds = 1;
    while (rounds < 20 && chance(draws, again)) rounds += 1;
    const isAborted = chance(draws, leaves);
    return makeVisit({
      user_engagement: isAborted ? draws.next() : 1,
      session_duration: isAborted ? seconds * rounds * draws.next() : seconds * rounds,
      // In some games a round has a fixed number of moves.
      interaction_count: moves > 0 && !isAborted ? moves * rounds : Math.floor(around(draws, seconds * rounds * 0.5, 0.4)),
      page_views: 1,
      return_visitor: Number(chance(draws, 0.6)),
    });
  };
};

/** Ten questions of twenty seconds each: who stays to the end leaves the same totals as everybody else. */
export const answerQuiz: Behaviour = (draws) => {
  const [questions, seconds, finishes] = [wholeBetween(draws, 5, 20), pick(draws, [10, 15, 20, 30]), between(draws, 0.4, 0.75)];
  return () => {
    if (chance(draws, finishes)) {
      return makeVisit({ user_engagement: 1, session_duration: questions * seconds, interaction_count: questions, page_views: questions, return_visitor: 0 });
    }
    const seen = wholeBetween(draws, 1, questions);
    const answered = Math.max(0, seen - wholeBetween(draws, 0, 3));
    return makeVisit({ user_engagement: shareOf(answered / seen), session_duration: seen * seconds - between(draws, 0, seconds), interaction_count: answered, page_views: seen, return_visitor: 0 });
  };
};

/** A screen in a hall: most touch it once and walk on, and the session ends with the idle time-out. */
export const passKiosk: Behaviour = (draws) => {
  const [timeoutSeconds, passing] = [pick(draws, [30, 45, 60, 90]), between(draws, 0.4, 0.85)];
  return () => {
    if (chance(draws, passing)) {
      return makeVisit({ user_engagement: 3 / (timeoutSeconds + 3), session_duration: timeoutSeconds + 3, interaction_count: 1, page_views: 1 });
    }
    const taps = 1 + Math.floor(around(draws, 5, 0.7));
    const usedSeconds = around(draws, taps * 4, 0.4);
    return makeVisit({
      user_engagement: usedSeconds / (usedSeconds + timeoutSeconds),
      session_duration: usedSeconds + timeoutSeconds,
      interaction_count: taps,
      page_views: Math.max(1, Math.floor(taps / 2)),
    });
  };
};

/** One button that plays one film. */
export const watchKioskFilm: Behaviour = (draws) => {
  const [seconds, watches] = [pick(draws, [30, 60, 90, 120]), between(draws, 0.6, 0.92)];
  return () =>
    chance(draws, watches)
      ? makeVisit({ user_engagement: 1, session_duration: seconds, interaction_count: 1, page_views: 1 })
      : makeVisit({ user_engagement: 1, session_duration: seconds * draws.next(), interaction_count: 1 + wholeBetween(draws, 0, 3), page_views: 1 });
};

/** A page with a countdown before the file: nearly everybody stays a little longer than the countdown. */
export const waitForDownload: Behaviour = (draws) => {
  const [seconds, waits] = [pick(draws, [10, 20, 30, 60]), between(draws, 0.4, 0.75)];
  return () => {
    if (!chance(draws, waits)) return drawBounce(draws);
    const waited = seconds + around(draws, 3, 0.6);
    return makeVisit({ user_engagement: shareOf(around(draws, 0.1, 0.3)), session_duration: waited, interaction_count: 2 + Number(chance(draws, 0.15)), page_views: 2, return_visitor: Number(chance(draws, 0.4)) });
  };
};

/** Wall displays that open a session an hour and refresh by themselves, and a few people. */
export const refreshWallDisplay: Behaviour = (draws) => {
  const displays = between(draws, 0.4, 0.85);
  const person = browseShop(draws);
  return () => (chance(draws, displays) ? makeVisit({ user_engagement: 0, session_duration: 3_600, scroll_depth: 0, interaction_count: 0, page_views: 60, return_visitor: 1 }) : person());
};

/** A link shortener: everybody is somewhere else before anything could be measured. */
export const followShortLink: Behaviour = (draws) => {
  const leaves = between(draws, 0.8, 0.98);
  const reader = readBlog(draws);
  return () => (chance(draws, leaves) ? makeVisit({ user_engagement: 0, session_duration: 0, interaction_count: 0, page_views: 1 }) : reader());
};

/** A portal whose sessions end by a time-out unless somebody signs out. */
export const workInPortal: Behaviour = (draws) => {
  const [timeoutSeconds, forgets] = [pick(draws, [600, 900, 1_800]), between(draws, 0.3, 0.8)];
  return () => {
    const pages = 2 + Math.floor(around(draws, 3, 0.6));
    const usedSeconds = around(draws, pages * 20, 0.7);
    const totalSeconds = chance(draws, forgets) ? timeoutSeconds * Math.ceil(usedSeconds / timeoutSeconds) : usedSeconds;
    return makeVisit({ user_engagement: shareOf(usedSeconds / totalSeconds), session_duration: atMost(totalSeconds), interaction_count: pages * 2, page_views: pages, return_visitor: 1 });
  };
};

/** Two pages: a form and its thanks. Everybody who fills it in touches the same fields. */
export const fillInForm: Behaviour = (draws) => {
  const [bounces, fields, median] = [between(draws, 0.2, 0.6), wholeBetween(draws, 2, 6), between(draws, 8, 45)];
  return () => {
    if (chance(draws, bounces)) return drawBounce(draws);
    return makeVisit({ user_engagement: 1, session_duration: around(draws, median, 0.4), interaction_count: fields + 1 + Number(chance(draws, 0.2)), page_views: 2, return_visitor: Number(chance(draws, 0.5)) });
  };
};
