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
import { createQueryClient } from "./query-client.ts";
import { createAppRouter, visitorPaths } from "./router.tsx";
import { cssVariables, theme } from "./theme.ts";

/** The page's CSP nonce. Without it the browser rejects styles added by scripts. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// react-remove-scroll, which Mantine's dialogs use, reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

// After a deployment the old chunks are gone: reload instead of failing on a missing one.
addEventListener("vite:preloadError", () => location.reload());

const colorScheme = localStorageColorSchemeManager({ key: "assay-color-scheme" });
const queries = createQueryClient(() => {
  const { pathname, href } = router.state.location;
  if (visitorPaths.has(pathname)) return;
  void router.navigate({ to: "/sign-in", search: { next: href } }).then(() => queries.removeQueries());
});
const router = createAppRouter(queries);
const root = document.querySelector("#root");
if (!root) throw new Error("the page has no #root");

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={colorScheme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
