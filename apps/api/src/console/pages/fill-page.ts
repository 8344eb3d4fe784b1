const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);

/** Puts values in the place of `{{name}}`. A name without a value stays: it shows what is missing. */
export function fillPage(html: string, values: Readonly<Record<string, string>>): string {
  return html.replaceAll(/\{\{(\w+)\}\}/g, (mark, name: string) => {
    const value = values[name];
    return value === undefined ? mark : escapeHtml(value);
  });
}
