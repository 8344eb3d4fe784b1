/** Thrown by a commit of which nobody can say whether it took effect: its callers must not be answered. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super("the outcome of a commit could not be found out", { cause });
    this.name = "CommitUnknown";
  }
}
