/** The element to paste into every page of a site. /signals stands for an address of the developer's own server, and is meant to be changed. */
export const snippetOf = ({ scriptUrl, siteId }: { scriptUrl: string; siteId: string }): string =>
  `<script src="${scriptUrl}" data-site="${siteId}" data-endpoint="/signals" defer></script>`;
