// Runs before the first paint, to avoid a white flash in dark mode.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem("assay-color-scheme");
    } catch {
      // Storage can be blocked. Then the system setting applies.
    }
    const dark = chosen === "dark" || (chosen !== "light" && system.matches);
    document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  };
  apply();
  system.addEventListener("change", apply);
})();
