import { type ClientPackage, clientPackages } from "@assay/contract/client-packages.ts";
import type { Plugin } from "vite";

const groups: readonly { runsOn: ClientPackage["runsOn"]; title: string; explained: string }[] = [
  { runsOn: "server", title: "For servers", explained: "They hold your API key, score sessions, request ads, read usage and statements, and verify webhooks and proofs." },
  { runsOn: "page", title: "For pages", explained: "It measures the six signals and sends them to your own server. It has no key." },
  { runsOn: "app", title: "For apps", explained: "They measure the six signals in an app and send them to your own server. They have no key." },
];

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const describeClient = ({ id, label, needs, file, install }: ClientPackage): string => `
      <h3 id="${id}">${escape(label)}</h3>
      <p>Needs ${escape(needs)}. <a href="/clients/${id}.md">README</a> · <a href="/clients/${file}" download>${escape(file.split("/").at(-1)!)}</a></p>
      <pre tabindex="0"><code>${escape(install("{{address}}"))}</code></pre>`;

/** What the page of the clients lists. The service fills in its address. */
export const listClients = (): string =>
  groups
    .map(({ runsOn, title, explained }) => `
      <h2>${title}</h2>
      <p>${explained}</p>${clientPackages.filter((each) => each.runsOn === runsOn).map(describeClient).join("")}`)
    .join("");

/** Puts the clients in place of `<!-- clients -->`. */
export const includeClients = (): Plugin => ({
  name: "include-clients",
  transformIndexHtml: (html) => html.replace("<!-- clients -->", listClients),
});
