// For pages without a bundler: <script src="/script.iife.js" data-endpoint="/signals" defer></script>
import { type Collector, startCollector } from "./collector.ts";

declare global {
  interface Window {
    assayCollector?: Collector;
  }
}

window.assayCollector = startCollector({ endpoint: (document.currentScript as HTMLScriptElement | null)?.dataset.endpoint });
