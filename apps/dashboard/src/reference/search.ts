import { find, findAll, make } from "./elements.ts";
import { type Place, rank } from "./rank.ts";

const foundMax = 12;
const textOf = (selector: string, within: ParentNode): string => within.querySelector(selector)?.textContent?.trim() ?? "";

/** `predict.body.session_data.scroll_depth` → where the field is: `predict › body › session_data`. */
const whereOf = (id: string, name: string): string => id.slice(0, Math.max(0, id.length - name.length - 1)).replaceAll(/(?<=[a-z\d])\.(?=[a-z\d])/gi, " › ");

/** The page itself is the index. */
function readPlaces(): Place[] {
  const sections = findAll("main h1[id], main h2[id], #events-title").map((heading) => ({ id: heading.id, name: heading.textContent ?? "", where: "", text: "", kind: "section" }));
  const calls = findAll("article.operation").map((article) => ({ id: article.id, name: article.id, where: textOf(".route code", article), text: `${textOf("h3", article)} ${textOf(".head p:last-child", article)}`, kind: "call" }));
  const errors = findAll("table.errors tr[id]").map((row) => ({ id: row.id, name: row.id, where: `error ${textOf(".status", row)}`, text: row.textContent ?? "", kind: "error" }));
  const events = findAll("details.event").map((event) => ({ id: event.id, name: event.id, where: "event", text: textOf("summary span", event), kind: "event" }));
  const fields = findAll(".fields li[id]").map((field) => {
    const name = textOf("a", field);
    return { id: field.id, name, where: whereOf(field.id, name), text: textOf("p", field), kind: /\.(?:header|answer)\./.test(field.id) ? "header" : "field" };
  });
  return [...sections, ...calls, ...errors, ...events, ...fields];
}

function showFound(list: HTMLElement, found: readonly Place[]): void {
  const links = found.map(({ id, name, where, text }) => {
    const link = make("a", "");
    link.href = `#${id}`;
    link.append(make("code", name), " ", make("span", where, "where"), make("span", text, "text"));
    return link;
  });
  list.replaceChildren(...(links.length > 0 ? links : [make("p", "Nothing was found.")]));
}

function moveFocus(input: HTMLInputElement, list: HTMLElement, step: number): void {
  const stops: HTMLElement[] = [input, ...findAll("a", list)];
  const index = stops.indexOf(document.activeElement as HTMLElement);
  stops.at((index + step + stops.length) % stops.length)?.focus();
}

export function watchSearch(): void {
  const input = find<HTMLInputElement>("#search");
  const list = find("#search-found");
  const box = find(".search");
  let places: Place[] | undefined;
  const update = () => {
    places ??= readPlaces();
    list.hidden = input.value.trim() === "";
    if (!list.hidden) showFound(list, rank(places, input.value, foundMax));
  };
  const close = () => {
    list.hidden = true;
  };
  const leave = () => {
    input.value = "";
    input.focus();
    close();
  };
  input.addEventListener("input", update);
  input.addEventListener("focus", update);
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && !list.hidden) moveFocus(input, list, step);
    else if (event.key === "Escape") leave();
    else if (event.key === "Enter" && event.target === input) list.querySelector("a")?.click();
    else return;
    event.preventDefault();
  });
  box.addEventListener("focusout", ({ relatedTarget }) => box.contains(relatedTarget as Node | null) || close());
  list.addEventListener("click", ({ target }) => (target as Element).closest("a") && close());
  addEventListener("keydown", (event) => {
    const isTyping = (event.target as Element).closest?.("input, textarea, select");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}
