import { find, findAll } from "./elements.ts";

const copiedShownMs = 1_600;

/** Copies the sample that is shown. */
export function watchCopyButtons(): void {
  for (const button of findAll("button.copy")) {
    const label = find("span", button);
    button.addEventListener("click", () => {
      const shown = findAll("pre", button.closest(".code") ?? document).find((pre) => pre.offsetParent !== null);
      navigator.clipboard.writeText(shown?.textContent ?? "").then(
        () => (label.textContent = "Copied"),
        () => (label.textContent = "Copy failed. Select the text."),
      );
      setTimeout(() => (label.textContent = "Copy"), copiedShownMs);
    });
  }
}
