/** For store.runProcedure and store.transact: ends the writer's thread in the middle of a transaction. */
export const procedure = () => () => process.exit(1);
export const work = () => process.exit(1);
