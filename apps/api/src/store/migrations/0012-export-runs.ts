import { type Dialect, sqlWordsOf } from "./migration.ts";

/** The run that exported a payout, so that its file can be written again. Earlier runs gave all their payouts one time. */
export const exportRuns = (dialect: Dialect): string[] => [
  `ALTER TABLE payouts ADD COLUMN export_id ${sqlWordsOf(dialect).id}`,
  `UPDATE payouts SET export_id = 'export_' || exported_at WHERE exported_at IS NOT NULL`,
  `CREATE INDEX payouts_export ON payouts (export_id, id) WHERE export_id IS NOT NULL`,
];
