import { type Dialect, sqlWordsOf } from "./migration.ts";

/** The time step of the last used code of an authenticator, against replay. */
export const codesWorkOnce = (dialect: Dialect): string[] => [`ALTER TABLE second_factors ADD COLUMN last_step ${sqlWordsOf(dialect).whole}`];
