/**
 * How old a replica's data may be, from positions in the write-ahead log. What was committed before a position of the
 * primary was read is below that position, so a replica that has replayed it has everything up to that time. On an idle
 * primary the position does not move, and the replica stays as new as the last reading.
 */
type Reading = { position: bigint; atMs: number };

/** One a second: enough for the bound, and for a replica that is a minute behind to catch up. */
const readingsMax = 64;

/** `16/B374D848` as PostgreSQL prints it. */
export function parsePosition(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined) throw new Error(`${text} is not a position in the write-ahead log`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export type ReplicaAge = {
  /** `atMs`: before the primary was asked, by a clock that never steps back. */
  notePrimary(reading: Reading): void;
  /** What the replica had replayed when it was asked. */
  noteReplica(position: bigint): void;
  /** The replica cannot be used until it is noted again. */
  forget(): void;
  /** The replica has everything that was committed by then. */
  asOfMs(): number | undefined;
};

export function createReplicaAge(): ReplicaAge {
  let readings: Reading[] = [];
  let asOf: number | undefined;
  let replayed = 0n;
  return {
    notePrimary(reading) {
      // Positions only go back when another server has become the primary: what is known of the old one says nothing.
      const last = readings.at(-1);
      if (last && reading.position < last.position) {
        readings = [];
        asOf = undefined;
      }
      readings.push(reading);
      if (readings.length > readingsMax) readings.shift();
    },
    noteReplica(position) {
      // It was made again from an older copy.
      if (position < replayed) asOf = undefined;
      replayed = position;
      const reached = readings.findLast((reading) => reading.position <= position);
      if (reached) asOf = Math.max(asOf ?? reached.atMs, reached.atMs);
    },
    forget() {
      asOf = undefined;
    },
    asOfMs: () => asOf,
  };
}
