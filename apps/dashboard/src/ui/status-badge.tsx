import { Badge } from "@mantine/core";

/** Shared by accounts, payouts, campaigns, creatives, findings and jobs. */
const colors: Readonly<Record<string, string>> = {
  active: "verdigris",
  approved: "verdigris",
  paid: "verdigris",
  payable: "verdigris",
  serving: "verdigris",
  proposed: "yellow",
  exported: "yellow",
  pending: "yellow",
  paused: "yellow",
  held: "yellow",
  resting: "yellow",
  "in payout": "yellow",
  open: "yellow",
  dismissed: "verdigris",
  delivered: "verdigris",
  failed: "red",
  disabled: "red",
  overdue: "red",
  failing: "red",
  suspended: "red",
  rejected: "red",
  returned: "red",
};

export function StatusBadge({ status }: { status: string }) {
  return <Badge variant="light" color={colors[status] ?? "gray"} className="badge-text">{status}</Badge>;
}

/** Beside amounts of demo money, which is in no total. */
export const DemoBadge = () => <Badge variant="light" color="gray" className="badge-text" ml="xs">demo</Badge>;
