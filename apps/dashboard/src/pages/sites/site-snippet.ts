/** The element to paste into every page of a site. The endpoint is the developer's own, and meant to be changed. */
export const snippetOf = ({ scriptUrl, siteId }: { scriptUrl: string; siteId: string }): string =>
  `<script src="${scriptUrl}" data-site="${siteId}" data-endpoint="/signals" defer></script>`;

/** What a page's content security policy has to allow, as directives to add to it. */
export function policyOf(scriptUrl: string): string {
  const { origin } = new URL(scriptUrl);
  return `script-src ${origin}; connect-src ${origin}`;
}
