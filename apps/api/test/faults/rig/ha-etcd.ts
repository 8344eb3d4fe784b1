import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../../find-free-port.ts";
import { waitUntil } from "../../send.ts";
import { adaptHaExample } from "./ha-example.ts";
import { makeMachine, type Machine } from "./ha-machine.ts";

export type Etcd = { port: number; machine: Machine; start(): Promise<void> };

/** One etcd with deploy/ha/etcd.yml, which describes three. */
export async function startEtcd(): Promise<Etcd> {
  const machine = makeMachine("etcd");
  const [port, peerPort] = [await findFreePort(), await findFreePort()];
  const config = adaptHaExample("etcd.yml", [
    ["data-dir: /var/lib/etcd/assay", `data-dir: ${machine.folder}/data`],
    ["listen-client-urls: http://10.0.0.21:2379,http://127.0.0.1:2379", `listen-client-urls: http://127.0.0.1:${port}`],
    ["advertise-client-urls: http://10.0.0.21:2379", `advertise-client-urls: http://127.0.0.1:${port}`],
    ["initial-cluster: etcd-1=http://10.0.0.21:2380,etcd-2=http://10.0.0.22:2380,etcd-3=http://10.0.0.23:2380", `initial-cluster: etcd-1=http://127.0.0.1:${peerPort}`],
    ["http://10.0.0.21:2380", `http://127.0.0.1:${peerPort}`, 2],
  ]);
  writeFileSync(join(machine.folder, "etcd.yml"), config);
  const isHealthy = () =>
    fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1_000) })
      .then(async (answer) => (await answer.text()).includes('"true"'))
      .catch(() => false);
  const start = async (): Promise<void> => {
    machine.run(process.env.ASSAY_TEST_ETCD!, ["--config-file", join(machine.folder, "etcd.yml")]);
    try {
      await waitUntil(isHealthy, "etcd is healthy", 60_000);
    } catch (error) {
      throw new Error(machine.logs().slice(-3_000), { cause: error });
    }
  };
  try {
    await start();
  } catch (error) {
    await machine.remove();
    throw error;
  }
  return { port, machine, start };
}
