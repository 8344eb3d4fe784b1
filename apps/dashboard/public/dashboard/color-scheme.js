// Runs before the first paint, so that nobody who chose dark sees a white flash.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem("assay-color-scheme");
    } catch {
      // Storage may be forbidden: the system's choice holds then.
    }
    const dark = chosen === "dark" || (chosen !== "light" && system.matches);
    document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  };
  apply();
  system.addEventListener("change", apply);
})();
