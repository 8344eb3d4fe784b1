/** Renders the Markdown that the project's documents use: headings, paragraphs, lists, tables, fences, images, inline markup. */

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Code is split off first, so that its content is not parsed. */
function renderInline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => {
      if (part.startsWith("`") && part.length > 2) return `<code>${escapeHtml(part.slice(1, -1))}</code>`;
      return escapeHtml(part)
        .replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, '<img src="$2" alt="$1" loading="lazy" />')
        .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
        .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
        .replace(/\*([^*]+)\*/g, "<em>$1</em>");
    })
    .join("");
}

const idOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");

const cellsOf = (row: string): string[] => row.slice(1, -1).split("|").map((cell) => cell.trim());

function renderTable(lines: string[]): string {
  const [head = "", , ...rows] = lines;
  const headCells = cellsOf(head).map((cell) => `<th scope="col">${renderInline(cell)}</th>`);
  const bodyRows = rows.map((row) => `<tr>${cellsOf(row).map((cell) => `<td>${renderInline(cell)}</td>`).join("")}</tr>`);
  const table = `<table><thead><tr>${headCells.join("")}</tr></thead><tbody>${bodyRows.join("")}</tbody></table>`;
  // A wide table scrolls inside its box, which is focusable for keyboards.
  return `<div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(cellsOf(head).join(", "))}">${table}</div>`;
}

function renderList(lines: string[]): string {
  const items: string[] = [];
  for (const line of lines) {
    if (line.startsWith("- ")) items.push(line.slice(2));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return `<ul>${items.map((item) => `<li>${renderInline(item)}</li>`).join("")}</ul>`;
}

function renderBlock(lines: string[]): string {
  const first = lines[0] ?? "";
  if (first.startsWith("```")) return `<pre><code>${escapeHtml(lines.slice(1, -1).join("\n"))}</code></pre>`;
  const heading = /^(#{1,4}) (.+)$/.exec(first);
  if (heading) {
    const [, marks = "", text = ""] = heading;
    return `<h${marks.length} id="${idOf(text)}">${renderInline(text)}</h${marks.length}>`;
  }
  if (first.startsWith("|")) return renderTable(lines);
  if (first.startsWith("- ")) return renderList(lines);
  return `<p>${renderInline(lines.join(" "))}</p>`;
}

/** Blocks are separated by empty lines, except inside fences. */
function splitBlocks(markdown: string): string[][] {
  const blocks: string[][] = [[]];
  let isFenced = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) isFenced = !isFenced;
    if (line.trim() === "" && !isFenced) blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0);
}

export function renderMarkdown(markdown: string): string {
  return splitBlocks(markdown.replaceAll(/<!--[\s\S]*?-->/g, "")).map(renderBlock).join("\n");
}
