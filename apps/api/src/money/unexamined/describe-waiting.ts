import type { WaitingEarning } from "@assay/contract/dashboard/waiting.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import { dayText } from "../days/day-refs.ts";
import type { WaitingEarningRow } from "../../store/schema-integrity.ts";
import type { WaitingDetail } from "../waiting/waiting-detail.ts";

const number = (value: number): string => value.toLocaleString("en-US");

function describe(detail: WaitingDetail, items: number): string {
  switch (detail.kind) {
    case "repeated_session": {
      const times = detail.sessions.map(({ calls }) => number(calls)).join(", ");
      return `${detail.sessions.length === 1 ? "One exact session was" : `${detail.sessions.length} exact sessions were`} sent ${times} times on one day; ${number(detail.settled)} calls of each settle by themselves.`;
    }
    case "unexamined":
      return `${number(detail.analyses)} analyses, of which ${number(detail.settled)} settle by themselves, and ${number(detail.calls)} scoring calls, of which ${number(detail.stored)} left a record.`;
    case "crowded_network":
      return `${number(items)} of ${number(detail.clicks)} clicks came from networks that had sent ${number(detail.settled)} before.`;
  }
}

export const describeWaiting = (row: WaitingEarningRow): WaitingEarning => ({
  id: row.id,
  day: dayText(row.day),
  reason: row.reason,
  items: row.items,
  developer_usd: usdOf(row.developer_micro),
  detail: describe(JSON.parse(row.detail) as WaitingDetail, row.items),
  statement: row.statement === null ? null : { text: row.statement, at: isoTime(row.stated_at ?? row.at) },
  decision: row.decision,
  resolution: row.resolution,
  decided_at: row.decided_at === null ? null : isoTime(row.decided_at),
});
