/**
 * One read at a time, however many ask. Whoever asks during a read waits for the next one: an answer is never older than
 * its question.
 */
export function joinReads<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;

  async function start(): Promise<Result> {
    next = undefined;
    try {
      return await read();
    } finally {
      running = undefined;
    }
  }

  return () => {
    if (!running) return (running = start());
    const startNext = () => (running = start());
    return (next ??= running.then(startNext, startNext));
  };
}
