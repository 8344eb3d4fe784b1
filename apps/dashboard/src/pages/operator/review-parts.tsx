import type { ReviewsReply } from "@assay/contract/dashboard/integrity.ts";
import { formatMonth, formatUsd } from "../../ui/format.ts";
import styles from "./integrity/integrity.module.css";

export type Waiting = ReviewsReply["waiting"][number];
export type Reviewed = ReviewsReply["reviewed"][number];

/** One bar per month: what became payable of it, and above that what waits. */
export function MonthBars({ months }: { months: Waiting["months"] }) {
  const usdMax = Math.max(...months.map(({ confirmed_usd }) => confirmed_usd), Number.EPSILON);
  const textOf = ({ month, confirmed_usd, granted_usd }: Waiting["months"][number]) => `${formatMonth(month)}: ${formatUsd(confirmed_usd)} confirmed, ${formatUsd(granted_usd)} of it payable`;
  return (
    <div className={styles.months} role="img" aria-label={`Earnings from calls by month. ${months.map(textOf).join("; ")}`}>
      {months.map((each) => (
        <div key={each.month} className={styles.month} title={textOf(each)} style={{ height: `${Math.max(3, (100 * each.confirmed_usd) / usdMax)}%` }}>
          <div className={styles.waiting} style={{ flexGrow: Math.max(0, each.confirmed_usd - each.granted_usd) }} />
          <div className={styles.granted} style={{ flexGrow: each.granted_usd }} />
        </div>
      ))}
    </div>
  );
}
