/** What a finger needs of a page, or of the menu that covers it, measured instead of looked at. Runs in the page. */
export function findUnreachableControls(isMenu: boolean): string[] {
  const kinds = 'a[href], button, input, select, textarea, summary, [role="tab"], [role="menuitem"]';
  const shownDialogs = [...document.querySelectorAll('[role="dialog"]')].filter((each) => each.checkVisibility());
  const menu = [...document.querySelectorAll("nav")].findLast((each) => each.checkVisibility());
  // What is behind a dialog or a menu cannot be used, and is not meant to be.
  const scope = shownDialogs.at(-1) ?? (isMenu ? menu : undefined) ?? document.body;
  const isMeantForFingers = (control: Element): boolean => {
    const { width, height, right, bottom } = control.getBoundingClientRect();
    // Inputs that a drawn control stands for, and links that only the keyboard shows.
    if (width <= 1 || height <= 1 || right + scrollX <= 0 || bottom + scrollY <= 0) return false;
    return control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && getComputedStyle(control).pointerEvents !== "none" && !control.closest('[inert], [aria-hidden="true"]');
  };
  const scrollsSideways = (control: Element): boolean => {
    for (let each = control.parentElement; each && each !== document.documentElement; each = each.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth) return true;
    }
    return false;
  };
  const middleOf = (control: Element): [number, number] => {
    // A link can break over lines: its first part.
    const { left, top, width, height } = control.getClientRects()[0] ?? control.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const found: string[] = [];
  for (const control of scope.querySelectorAll<HTMLElement>(kinds)) {
    if (!isMeantForFingers(control)) continue;
    const name = control.outerHTML.slice(0, 160);
    const isAside = scrollsSideways(control);
    const [, y] = middleOf(control);
    if (isAside || y < innerHeight * 0.3 || y > innerHeight * 0.7) control.scrollIntoView({ block: "center", inline: isAside ? "center" : "nearest", behavior: "instant" });
    const { left, right } = control.getBoundingClientRect();
    if (!isAside && (left < -1 || right > innerWidth + 1)) found.push(`cut off at the side: ${name}`);
    const hit = document.elementFromPoint(...middleOf(control));
    const isHit = hit !== null && (control.contains(hit) || hit.closest("label")?.contains(control) === true);
    if (!isHit) found.push(`covered by ${hit?.outerHTML.slice(0, 160) ?? "nothing: it is outside of the window"}: ${name}`);
  }
  return found;
}
