/**
 * The types that no endpoint can choose: a test goes to one endpoint, whatever it chose; that an endpoint was switched off
 * is only mailed. By itself, so that the writer's thread, which asks this for every event, need not load the schemas of all
 * of them.
 */
export const neverChosen: ReadonlySet<string> = new Set(["webhook.test", "webhook.disabled"]);
