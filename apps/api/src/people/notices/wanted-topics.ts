import { mandatoryTopics } from "@assay/contract/dashboard/notice-topics.ts";
import type { NoticeTopic } from "@assay/contract/webhooks.ts";

/** For an account that has not chosen. */
const wantedByDefault: Record<NoticeTopic, boolean> = { money: true, security: true, findings: true, limits: false, models: false, operations: true };

export type StoredChoice = { topic: string; wanted: number };

/** Whether an account with these choices is mailed about a topic. A mandatory topic is mailed whatever was chosen. */
export const isWanted = (topic: NoticeTopic, choices: readonly StoredChoice[]): boolean => {
  if (mandatoryTopics.has(topic)) return true;
  const chosen = choices.find((choice) => choice.topic === topic);
  return chosen ? chosen.wanted === 1 : wantedByDefault[topic];
};
