import type { Command } from "commander";
import type { RunningService } from "../start/serve.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";

function describeService({ address, first }: RunningService): string {
  const signIns = first && {
    developer: { email: first.developer.email, password: first.developer.password },
    operator: { email: first.operator.email, password: first.operator.password },
    live_key: first.liveKey,
    test_key: first.testKey,
  };
  return `${JSON.stringify({ address, ...(signIns && { first_sign_ins: signIns }) })}\n`;
}

async function runServe(options: JsonOption): Promise<void> {
  // Loaded on demand: all other commands start faster without the web server.
  const { runService } = await import("../start/run-service.ts");
  await (options.json ? runService(describeService) : runService());
}

export function addServeCommand(program: Command): void {
  defineCommand(program, { name: "serve", summary: "start the service, as npm start does", example: "serve" }).action(runServe);
}
