/**
 * Decides which servers may be used. A promotion begins a timeline with a higher number, so a primary that was replaced
 * is recognized by its lower one, however healthy it looks. What was seen is kept by this process, until it ends.
 */
import type { ServerReading } from "./read-server.ts";

/** A server that must not be used, or no server that may be. Nothing was sent to it. */
export class NotPrimary extends Error {
  override readonly name = "NotPrimary";
  readonly code = "no_primary";
}

/** A connection that ends when its server turns out to be replaced. */
export type Admitted = { cut(reason: Error): void };

export type Fence = {
  /** Throws NotPrimary. A higher timeline than any before cuts every connection to a lower one, at once. */
  judge(reading: ServerReading, options?: { mayBeReadOnly: boolean }): void;
  /** Until `forget`, the connection is cut when a higher timeline is seen anywhere. */
  admit(connection: Admitted, reading: ServerReading): void;
  forget(connection: Admitted): void;
  hasSeenAny(): boolean;
};

export function createFence(): Fence {
  const admitted = new Map<Admitted, number>();
  let systemId: string | undefined;
  let timelineMax = 0;

  function raise(timeline: number): void {
    timelineMax = timeline;
    for (const [connection, itsTimeline] of admitted) {
      if (itsTimeline === timeline) continue;
      admitted.delete(connection);
      connection.cut(new NotPrimary(`the server was replaced: timeline ${timeline} has begun elsewhere`));
    }
  }

  return {
    judge(reading, { mayBeReadOnly } = { mayBeReadOnly: false }) {
      if (reading.isInRecovery) throw new NotPrimary("it is a standby, or recovers");
      if (systemId !== undefined && reading.systemId !== undefined && reading.systemId !== systemId) {
        throw new NotPrimary("it belongs to another cluster than the one that was used before: restart the service if that is intended");
      }
      const { timeline = timelineMax } = reading;
      if (timeline < timelineMax) throw new NotPrimary(`it was replaced: it is on timeline ${timeline}, and ${timelineMax} has begun elsewhere`);
      if (reading.isReadOnly && !mayBeReadOnly) throw new NotPrimary("it is read-only");
      systemId ??= reading.systemId;
      if (timeline > timelineMax) raise(timeline);
    },
    admit(connection, { timeline }) {
      admitted.set(connection, timeline ?? timelineMax);
    },
    forget(connection) {
      admitted.delete(connection);
    },
    hasSeenAny: () => timelineMax > 0 || systemId !== undefined,
  };
}
