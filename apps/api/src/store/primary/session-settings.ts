/**
 * What the sessions of the service rely on. They ask for it when they connect, and check that they got it: a pooler in
 * between may drop what it does not know.
 */
export type SessionSettings = Readonly<Record<string, { set: string; shown: readonly string[] }>>;

/** For connections whose statements may take long. A commit is on disk, and on the synchronous standby if there is one, when it is acknowledged. */
export const durableCommits: SessionSettings = { synchronous_commit: { set: "on", shown: ["on", "remote_apply"] } };

/** Plans of statements that read much are not worth compiling. */
export const withoutJit: SessionSettings = { jit: { set: "off", shown: ["off"] } };

/** The database refuses to write, whatever happens. */
export const readOnly: SessionSettings = { default_transaction_read_only: { set: "on", shown: ["on"] } };

/**
 * For every connection of a running service. Lock waits are short. The server ends a transaction whose client stopped in
 * the middle, and a statement a second after its client has given it up.
 */
export const serviceSettings: SessionSettings = {
  ...durableCommits,
  statement_timeout: { set: "6000", shown: ["6s"] },
  lock_timeout: { set: "3000", shown: ["3s"] },
  idle_in_transaction_session_timeout: { set: "1000", shown: ["1s"] },
  default_transaction_isolation: { set: "read committed", shown: ["read committed"] },
  ...withoutJit,
};

/** As PostgreSQL's command line takes them. */
export const toOptions = (settings: SessionSettings): string =>
  Object.entries(settings).map(([name, { set }]) => `-c ${name}=${set.replaceAll(" ", "\\ ")}`).join(" ");

/** An expression that returns the settings as an object. The names are ours. */
export const selectSettings = (settings: SessionSettings): string =>
  `json_build_object(${Object.keys(settings).map((name) => `'${name}', current_setting('${name}')`).join(", ")})`;

/** The settings that the session does not have, as an operator would set them; empty if it has all. */
export function findMissingSettings(settings: SessionSettings, found: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).filter(([name, { shown }]) => !shown.includes(found[name]!)).map(([name, { set }]) => `${name} = '${set}'`);
}
