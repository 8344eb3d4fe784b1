/** The collector, which this installation serves itself. */
export const collectorUrlOf = (publicUrl: string): string => `${publicUrl}/c/v1/collector.js`;

/** What a page contains. /signals stands for an address of the developer's own server. */
export const snippetOf = ({ scriptUrl, siteId }: { scriptUrl: string; siteId: string }): string =>
  `<script src="${scriptUrl}" data-site="${siteId}" data-endpoint="/signals" defer></script>`;
