import { findAll } from "./elements.ts";

/** The part of the address after `#`; anybody may have typed it, so it need not be well-formed. */
function placeOfAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/** Unfolds what the address points at, and what it is inside of. */
function unfold(): void {
  const target = document.querySelector(`#${CSS.escape(placeOfAddress() || "introduction")}`);
  let folded = target?.closest("details");
  if (!folded) return;
  for (; folded; folded = folded.parentElement?.closest("details")) folded.open = true;
  target?.scrollIntoView();
}

/** Marks the menu's link to what is being read. */
function followReader(): void {
  const links = new Map(findAll<HTMLAnchorElement>("nav.menu a").map((link) => [link.hash.slice(1), link]));
  const places = [...links.keys()].flatMap((id) => {
    const place = document.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
    // A heading is short: its section is what is on the screen.
    return place ? [{ id, element: place.matches("h1, h2") ? (place.closest("section") ?? place) : place }] : [];
  });
  const visible = new Set<string>();
  let current: HTMLAnchorElement | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const place = places.find(({ element }) => element === target);
        if (place && isIntersecting) visible.add(place.id);
        else if (place) visible.delete(place.id);
      }
      const last = places.findLast(({ id }) => visible.has(id));
      if (!last || links.get(last.id) === current) return;
      current?.removeAttribute("aria-current");
      current = links.get(last.id);
      current?.setAttribute("aria-current", "location");
      const menu = current?.closest<HTMLElement>("nav.menu");
      if (current && menu) {
        const offset = current.getBoundingClientRect().top - menu.getBoundingClientRect().top;
        if (offset < 0 || offset > menu.clientHeight - current.clientHeight) menu.scrollTop += offset - menu.clientHeight / 3;
      }
    },
    { rootMargin: "-15% 0px -75% 0px" },
  );
  for (const { element } of places) observer.observe(element);
}

/** On a phone the menu folds again once a place is chosen. */
function foldContents(): void {
  for (const link of findAll("details.contents a")) link.addEventListener("click", () => link.closest("details")?.removeAttribute("open"));
}

export function watchPlaces(): void {
  unfold();
  addEventListener("hashchange", unfold);
  foldContents();
  followReader();
}
