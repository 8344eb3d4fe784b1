import type { StatusReply } from "@assay/contract/operations.ts";
import { createRoot } from "react-dom/client";
import { Playground } from "../playground/playground.tsx";
import "../ui/tokens.css";
import "./landing.css";
import { TierTable } from "./tier-table.tsx";

const copiedShownMs = 1_600;

function getElement(id: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(`#${id}`);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

function enableCopyButton(): void {
  const button = getElement("copy-curl");
  const text = getElement("curl-line").textContent ?? "";
  const setLabel = (label: string) => {
    (button.firstElementChild ?? button).textContent = label;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(text).then(() => setLabel("Copied"), () => setLabel("Copy failed. Select the text."));
    setTimeout(() => setLabel("Copy"), copiedShownMs);
  });
}

/** Reads the tiers from the service because operators can change them. On failure the table is left out. */
async function showTiers(): Promise<void> {
  const answer = await fetch("/api/status");
  if (!answer.ok) return;
  const { tiers } = (await answer.json()) as StatusReply;
  createRoot(getElement("tiers")).render(<TierTable tiers={tiers} />);
}

const playground = getElement("playground");
playground.classList.remove("waiting");
createRoot(playground).render(<Playground address={location.origin} />);
enableCopyButton();
showTiers().catch(() => getElement("tiers").remove());
