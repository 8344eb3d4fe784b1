import { Outlet } from "@tanstack/react-router";

/** The frame of the pages shown before sign-in. */
export function VisitorLayout() {
  return (
    <div className="visitor">
      <a className="brand" href="/"><img src="/dashboard/logo.svg" width="32" height="32" alt="" /> Assay</a>
      <main id="content"><Outlet /></main>
    </div>
  );
}
