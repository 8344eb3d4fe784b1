// The service, killed where it would connect to RIG_RECEIVER_PORT: its delivery is leased, and nothing of it is sent.
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { runService } from "../../../src/start/run-service.ts";

const receiverPort = Number(process.env["RIG_RECEIVER_PORT"]);
subscribe("net.client.socket", (message) => {
  (message as { socket: Socket }).socket.on("connectionAttempt", (_address: string, port: number) => {
    if (port === receiverPort) process.kill(process.pid, "SIGKILL");
  });
});

await runService();
