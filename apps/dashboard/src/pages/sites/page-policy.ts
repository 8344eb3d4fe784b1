/** What a page's content security policy has to allow, as directives to add to it. */
export function policyOf(scriptUrl: string): string {
  const { origin } = new URL(scriptUrl);
  return `script-src ${origin}; connect-src ${origin}`;
}
