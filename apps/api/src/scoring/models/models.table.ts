import type { Db, InstallationSetting } from "../../store/schema.ts";

export function selectSetting(db: Db, name: InstallationSetting) {
  return db.selectFrom("installation_settings").select(["value", "at"]).where("name", "=", name);
}

export function upsertSetting(db: Db, setting: { name: InstallationSetting; value: string; nowMs: number }) {
  const { name, value, nowMs: at } = setting;
  return db
    .insertInto("installation_settings")
    .values({ name, value, at })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value, at }));
}

export function deleteSetting(db: Db, name: InstallationSetting) {
  return db.deleteFrom("installation_settings").where("name", "=", name);
}
