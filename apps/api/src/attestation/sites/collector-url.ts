/** The collector, which this installation serves itself. */
export const collectorUrlOf = (publicUrl: string): string => `${publicUrl}/c/v1/collector.js`;
