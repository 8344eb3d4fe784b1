import { join } from "node:path";
import { build } from "vite";

/** The ids of all modules that the built pages contain, from the bundler itself. Nothing is written. */
export async function listModules(): Promise<string[]> {
  const ids = new Set<string>();
  const app = join(import.meta.dirname, "..");
  await build({
    root: app,
    configFile: join(app, "vite.config.ts"),
    logLevel: "warn",
    build: { write: false, minify: false },
    plugins: [
      {
        name: "list-modules",
        generateBundle(_options, bundle) {
          for (const part of Object.values(bundle)) for (const id of part.type === "chunk" ? Object.keys(part.modules) : []) ids.add(id);
        },
      },
    ],
  });
  return [...ids];
}
