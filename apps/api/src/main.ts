import { runService } from "./start/serve.ts";

await runService();
