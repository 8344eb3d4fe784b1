/** A database that is being filled. Nothing of it is seen by anybody before `keep`. */
export type TableTarget = {
  migrations: string[];
  columnsOf(table: string): Promise<string[]>;
  countRows(table: string): Promise<number>;
  clear(table: string): Promise<void>;
  /** `rows`: lines of the stream. */
  insert(table: string, columns: readonly string[], rows: readonly string[]): Promise<void>;
  /** Re-computes every chain, balance and hour. */
  verify(): Promise<{ entries: number; accounts: number; problems: string[] }>;
  keep(): Promise<void>;
  /** Leaves nothing behind; after `keep` it does nothing but close. */
  close(): Promise<void>;
};
