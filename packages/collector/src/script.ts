// For pages without a bundler: <script src="/script.iife.js" data-endpoint="/signals" defer></script>
import { type Collector, startCollector } from "./collector.ts";

declare global {
  interface Window {
    assayCollector?: Collector;
  }
}

const script = document.currentScript as HTMLScriptElement | null;
const { endpoint, site, url } = script?.dataset ?? {};
const src = script?.src ?? "";

// Attestation is where the script is, if an installation of Assay serves it, under whatever name or prefix.
window.assayCollector = startCollector({ endpoint, site, url: url ?? (/\/c\/v1\/collector\.js($|\?)/.test(src) ? src : undefined) });
