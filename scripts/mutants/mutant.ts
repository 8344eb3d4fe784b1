/** A fault that somebody could write, and the test that notices it. */
export type Mutant = {
  /** What would be wrong. */
  name: string;
  file: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
  /** A test file, and the title of one of its tests. */
  killedBy: readonly [file: string, title: string];
  /** Only this half of a test for both stores, or a server that the test starts. */
  needs?: "postgres" | "redis";
};
