// The service, for tests in which it must not lose a Redis that is only slow.
import { runService } from "../../src/start/run-service.ts";
import { patientWaits } from "./start-redis.ts";

await runService(undefined, { nowMs: Date.now, redisWaits: patientWaits });
