import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "../ui/tokens.css";
import "./app.css";
import { createQueries } from "./queries.ts";
import { createPages, visitorPaths } from "./router.tsx";
import { cssVariables, theme } from "./theme.ts";

/** The server's, for this page: styles that scripts add are refused without it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// Where the library that keeps the page from scrolling behind a dialog looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });

// A new version replaced the files of this one: load the page anew instead of failing on a missing part.
addEventListener("vite:preloadError", () => location.reload());

const colorScheme = localStorageColorSchemeManager({ key: "assay-color-scheme" });
const queries = createQueries(() => {
  const { pathname, href } = pages.state.location;
  if (visitorPaths.has(pathname)) return;
  void pages.navigate({ to: "/sign-in", search: { next: href } }).then(() => queries.removeQueries());
});
const pages = createPages(queries);
const root = document.querySelector("#root");
if (!root) throw new Error("the page has no #root");

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={colorScheme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        <RouterProvider router={pages} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
