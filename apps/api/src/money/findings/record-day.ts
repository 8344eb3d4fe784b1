import type { Store } from "../../store/store.ts";
import type { RecordDay, RecordDayOutcome } from "./record-day.work.ts";

const workModule = new URL("./record-day.work.ts", import.meta.url);

export const recordDay = (store: Store, record: RecordDay): Promise<RecordDayOutcome> => store.transact<RecordDay, RecordDayOutcome>(workModule, record);
