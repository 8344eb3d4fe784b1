import { mandatoryTopics, topicTexts } from "@assay/contract/dashboard/notice-topics.ts";
import type { Audience } from "@assay/contract/webhooks.ts";
import { isoTime } from "../../formats/time.ts";
import { layOutMail } from "../../mail/lay-out-mail.ts";
import type { Mail } from "../../mail/queue-mail.ts";
import { lineOf } from "./line-of-event.ts";
import { type Digest, type PendingEvent, shareLines } from "./plan-digest.ts";
import { makeUnsubscribeToken } from "./unsubscribe-token.ts";

export type NoticeSettings = { publicUrl: string; unsubscribeKey: string };

const linesMax = 20;

const timeOf = (atMs: number): string => `${isoTime(atMs).slice(0, 16).replace("T", " ")} UTC`;

const listed = (words: readonly string[]): string => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

/** One mail with all of a digest's events, by topic. */
export function noticeMail({ recipient, events }: Digest, audience: Audience, { publicUrl, unsubscribeKey }: NoticeSettings): Mail {
  const { accountId, email } = recipient;
  const lineOfEvent = ({ type, data, atMs }: PendingEvent): string => `${timeOf(atMs)}: ${lineOf(type, data, audience)}`;
  const groups = shareLines(events, linesMax);
  const lists = groups.map(({ topic, shown, left }) => ({
    heading: topicTexts[topic].title,
    lines: [...shown.map(lineOfEvent), ...(left > 0 ? [`and ${left} more, which the dashboard shows`] : [])],
  }));
  const [only] = events;
  const isOne = events.length === 1;
  const place = audience === "developer" ? "your account" : "this installation";
  const heading = isOne ? `A notice about ${place}` : `${events.length} notices about ${place}`;
  const optional = groups.map(({ topic }) => topic).filter((topic) => !mandatoryTopics.has(topic));
  const unsubscribeUrl = optional.length === 0 ? undefined : `${publicUrl}/unsubscribe?token=${makeUnsubscribeToken(unsubscribeKey, { accountId, topics: optional })}`;
  return {
    kind: "notice",
    to: email,
    accountId,
    unsubscribeUrl,
    ...layOutMail({
      subject: isOne ? lineOf(only!.type, only!.data, audience) : `${heading}: ${listed(lists.map((list) => list.heading.toLowerCase()))}`,
      preview: lineOf(only!.type, only!.data, audience),
      heading,
      paragraphs: [],
      lists,
      button: { label: "Open the dashboard", url: `${publicUrl}/dashboard/${audience === "operator" ? "operator" : ""}` },
      footnote: `You received this email because this address belongs to an Assay account.${optional.length === 0 ? " Mails about security cannot be switched off." : ""}`,
      links: [
        { label: "Choose what is mailed", url: `${publicUrl}/dashboard/settings?part=notices` },
        ...(unsubscribeUrl === undefined ? [] : [{ label: `No more notices about ${listed(optional.map((topic) => topicTexts[topic].title.toLowerCase()))}`, url: unsubscribeUrl }]),
      ],
    }),
  };
}
