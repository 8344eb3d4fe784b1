import { startOfDay } from "../src/formats/time.ts";

/**
 * For a test that compares sums of a day or month, of which the service's own clock decides which it is. A test that began
 * in one UTC day and failed in the next is done once more, in the next. It must make its accounts itself.
 */
export async function inOneDay(test: () => Promise<void>): Promise<void> {
  const day = startOfDay(Date.now());
  await test().catch(async (error: unknown) => {
    if (startOfDay(Date.now()) === day) throw error;
    await test();
  });
}
