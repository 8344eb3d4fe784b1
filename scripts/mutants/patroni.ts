import type { Mutant } from "./mutant.ts";

const files = "apps/api/test/ha-files.test.ts";

/** Faults in the files of deploy/ha/. */
export const patroniMutants: Mutant[] = [
  {
    name: "the pair is not synchronous",
    file: "deploy/ha/patroni.yml",
    from: "    synchronous_mode: true",
    to: "    synchronous_mode: false",
    killedBy: [files, "Patroni's times keep its rule, and let it give up before its lease runs out"],
  },
  {
    name: "a primary retries longer than its lease lasts",
    file: "deploy/ha/patroni.yml",
    from: "    retry_timeout: 3",
    to: "    retry_timeout: 10",
    killedBy: [files, "Patroni's times keep its rule, and let it give up before its lease runs out"],
  },
  {
    name: "HAProxy asks PostgreSQL instead of Patroni",
    file: "deploy/ha/haproxy.cfg",
    from: "    # A connection to a deposed primary is ended, so that nothing waits for its answer.\n    default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions\n    server postgres-1 10.0.0.11:5432 check port 8008",
    to: "    # A connection to a deposed primary is ended, so that nothing waits for its answer.\n    default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions\n    server postgres-1 10.0.0.11:5432 check port 5432",
    killedBy: [files, "HAProxy, PgBouncer and Patroni name the same ports"],
  },
];
