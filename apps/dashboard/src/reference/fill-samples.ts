import { find, findAll } from "./elements.ts";
import { readStored, writeStored } from "./stored.ts";

const keyPattern = /^assay_(?:live|test)_[0-9A-Za-z]+$/;
const testKeyPattern = /^assay_test_/;
const storedKey = "assay-reference-key";
const storedLanguage = "assay-reference-language";
const session = () => sessionStorage;
const local = () => localStorage;

/** Samples call the installation that served the page. */
export function showAddress(): void {
  for (const place of findAll("b.address")) place.textContent = location.origin;
}

/** Puts the key into the samples. Only a test key outlives a reload, and none outlives the tab. */
export function watchKey(): () => string {
  const input = find<HTMLInputElement>("#key");
  const places = findAll("b.key").map((place) => ({ place, original: place.textContent ?? "" }));
  const fill = () => {
    const key = input.value.trim();
    const isKey = keyPattern.test(key);
    input.setCustomValidity(key === "" || isKey ? "" : "A key begins with assay_test_ or assay_live_.");
    for (const { place, original } of places) place.textContent = !isKey ? original : "quoted" in place.dataset ? JSON.stringify(key) : key;
    writeStored(session, storedKey, isKey && testKeyPattern.test(key) ? key : undefined);
  };
  input.value = readStored(session, storedKey) ?? "";
  if (input.value !== "") fill();
  input.addEventListener("input", fill);
  find("#setup").addEventListener("submit", (event) => event.preventDefault());
  return () => input.value.trim();
}

/** One choice for all samples, made at the top or beside any of them. */
export function watchLanguage(): void {
  const radios = findAll<HTMLInputElement>('#setup input[name="language"]');
  const buttons = findAll("button[data-language]");
  const show = () => {
    const chosen = radios.find(({ checked }) => checked)?.value;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.language === chosen));
  };
  const choose = (language: string | null | undefined) => {
    const radio = radios.find(({ value }) => value === language);
    if (radio) radio.checked = true;
    show();
  };
  for (const radio of radios) radio.addEventListener("change", () => (writeStored(local, storedLanguage, radio.value), show()));
  for (const button of buttons) {
    button.addEventListener("click", () => {
      // Samples differ in height: what was clicked stays where it is.
      const { top } = button.getBoundingClientRect();
      choose(button.dataset.language);
      writeStored(local, storedLanguage, button.dataset.language);
      scrollBy({ top: button.getBoundingClientRect().top - top, behavior: "instant" });
    });
  }
  choose(readStored(local, storedLanguage));
}
