import type { CallDaysReply } from "@assay/contract/dashboard/integrity.ts";
import type { UseQueryResult } from "@tanstack/react-query";
import { CallDays } from "../../ui/call-days.tsx";
import { describeNextConfirmed } from "../../ui/describe-day.ts";
import { formatCountOf } from "../../ui/format.ts";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";

function describeRule({ hold_days }: CallDaysReply): string {
  if (hold_days === 0) return "A day (UTC) is confirmed when it is over.";
  return `A day (UTC) is pending until ${formatCountOf(hold_days, "day", "days")} after its end: until then an operator can reverse calls that did not come from visits. Then it is confirmed.`;
}

export function CallDaysPanel({ query }: { query: UseQueryResult<CallDaysReply> }) {
  const next = query.data && describeNextConfirmed(query.data.days, Date.now());
  return (
    <Panel title="Days of calls" hint={query.data && <>{describeRule(query.data)}{next !== undefined && ` ${next}`}</>}>
      <QueryView query={query} height={180}>{(answer) => <CallDays answer={answer} />}</QueryView>
    </Panel>
  );
}
