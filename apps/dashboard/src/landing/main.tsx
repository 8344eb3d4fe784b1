import type { StatusReply } from "@assay/contract/operations.ts";
import { createRoot } from "react-dom/client";
import { Playground } from "../playground/playground.tsx";
import "../ui/tokens.css";
import "./landing.css";
import { TierTable } from "./tier-table.tsx";

const copiedMs = 1_600;

function elementOf(id: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(`#${id}`);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

function offerCopy(): void {
  const button = elementOf("copy-curl");
  const text = elementOf("curl-line").textContent ?? "";
  const say = (words: string) => {
    (button.firstElementChild ?? button).textContent = words;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(text).then(() => say("Copied"), () => say("Copy failed. Select the text."));
    setTimeout(() => say("Copy"), copiedMs);
  });
}

/** The tiers are the operator's to change, so the running service is asked. The page does well without an answer. */
async function showTiers(): Promise<void> {
  const answer = await fetch("/api/status");
  if (!answer.ok) return;
  const { tiers } = (await answer.json()) as StatusReply;
  createRoot(elementOf("tiers")).render(<TierTable tiers={tiers} />);
}

const playground = elementOf("playground");
playground.classList.remove("waiting");
createRoot(playground).render(<Playground address={location.origin} />);
offerCopy();
showTiers().catch(() => elementOf("tiers").remove());
