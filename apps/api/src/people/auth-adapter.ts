import { type CleanedWhere, createAdapterFactory, type CustomAdapter } from "better-auth/adapters";
import { APIError } from "better-auth/api";
import { isStoreOutOfReach } from "../store/store-failure.ts";
import type { Store } from "../store/store.ts";
import {
  type AuthCondition,
  type AuthRow,
  type AuthTable,
  deleteAuthRows,
  insertAuthRow,
  selectAuthRows,
  selectSignInAccount,
  updateAuthRows,
} from "./auth.table.ts";
import { storeOutOfReachCode } from "./translate-auth-error.ts";

/** better-auth's models that have a table, with its field names and our columns. */
const tables: Record<string, { table: AuthTable; columns: Record<string, string> }> = {
  session: {
    table: "sign_ins",
    columns: {
      id: "id",
      token: "token",
      userId: "account_id",
      ipAddress: "ip_address",
      userAgent: "user_agent",
      createdAt: "created_at",
      updatedAt: "updated_at",
      expiresAt: "expires_at",
    },
  },
  verification: {
    table: "sign_in_challenges",
    columns: {
      id: "id",
      identifier: "identifier",
      value: "value",
      createdAt: "created_at",
      updatedAt: "updated_at",
      expiresAt: "expires_at",
    },
  },
  twoFactor: {
    table: "second_factors",
    columns: {
      id: "id",
      userId: "account_id",
      secret: "secret",
      backupCodes: "recovery_codes",
      verified: "verified",
      failedVerificationCount: "failures",
      lockedUntil: "locked_until",
    },
  },
};

const dateFields = new Set(["createdAt", "updatedAt", "expiresAt", "lockedUntil"]);
const truthFields = new Set(["verified"]);
/** Longer than any browser's User-Agent; a forged one is truncated. */
const textLengthMax = 2_000;

const operators = { eq: "=", ne: "!=", lt: "<", lte: "<=", gt: ">", gte: ">=", in: "in" } as const;

type Fields = Record<string, unknown>;
type Where = CleanedWhere;
type Rows = { model: string; where: Where[] };
type Page = { model: string; where?: Where[] | undefined; limit: number; sortBy?: { field: string; direction: "asc" | "desc" } | undefined };

const firstOf = <Row>(rows: readonly Fields[]) => (rows[0] ?? null) as Row | null;

const refuse = (what: string): never => {
  throw new Error(`better-auth asked for something that no table provides: ${what}`);
};

/** For `catch`. better-auth drops the cause of an error unless it is an APIError. */
function throwOutage(error: unknown): never {
  if (isStoreOutOfReach(error)) throw new APIError("SERVICE_UNAVAILABLE", { code: storeOutOfReachCode, message: error.message });
  throw error;
}

function toColumn(value: unknown): string | number | null {
  if (value instanceof Date) return value.getTime();
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "string") return value.slice(0, textLengthMax);
  if (typeof value === "number") return value;
  return value === null || value === undefined ? null : refuse(`a value of type ${typeof value}`);
}

function toField(name: string, value: string | number | null | undefined): unknown {
  if (value === null || value === undefined) return null;
  if (dateFields.has(name)) return new Date(value);
  return truthFields.has(name) ? value === 1 : value;
}

function tableOf(model: string) {
  return tables[model] ?? refuse(`the model ${model}`);
}

function columnOf(model: string, field: string): string {
  return tableOf(model).columns[field] ?? refuse(`${model}.${field}`);
}

const toRow = (model: string, fields: Fields): AuthRow =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [columnOf(model, name), toColumn(value)]));

const toFields = (model: string, row: AuthRow): Fields =>
  Object.fromEntries(Object.entries(tableOf(model).columns).map(([name, column]) => [name, toField(name, row[column])]));

function toConditions(model: string, where: readonly Where[]): AuthCondition[] {
  return where.map(({ field, operator, connector, value }) => {
    const known = operators[operator as keyof typeof operators] ?? refuse(`the operator ${operator}`);
    if (connector !== "AND") refuse(`conditions joined by ${connector}`);
    return { column: columnOf(model, field), operator: known, value: Array.isArray(value) ? value.map(String) : toColumn(value) };
  });
}

async function findAccount(store: Store, where: readonly Where[] | undefined) {
  const by = (where ?? []).find(({ field }) => field === "id" || field === "email" || field === "userId");
  if (!by) return refuse("accounts by a field other than id and address");
  const column = by.field === "email" ? "email" : "id";
  return selectSignInAccount(store.db, { column, value: String(by.value) }).executeTakeFirst().catch(throwOutage);
}

async function findUser(store: Store, where: readonly Where[] | undefined): Promise<Fields | null> {
  const account = await findAccount(store, where);
  if (!account) return null;
  return {
    id: account.id,
    email: account.email,
    emailVerified: account.verified_at !== null,
    name: "",
    image: null,
    createdAt: new Date(account.created_at),
    updatedAt: new Date(account.created_at),
    twoFactorEnabled: Number(account.second_factors) > 0,
    operator: account.operator === 1,
    status: account.status,
  };
}

/** better-auth keeps the password in a model of its own. */
async function findCredential(store: Store, where: readonly Where[] | undefined): Promise<Fields | null> {
  const account = await findAccount(store, where);
  if (!account || account.password_hash === null) return null;
  const at = new Date(account.created_at);
  const password = account.password_hash;
  return { id: account.id, userId: account.id, accountId: account.id, providerId: "credential", password, createdAt: at, updatedAt: at };
}

/**
 * better-auth over our own tables. The accounts table stays the only source of accounts and passwords: better-auth reads
 * it and never writes to it. Every operation is one statement, so nothing holds the writer.
 */
export function createAuthAdapter(store: Store) {
  const { db } = store;
  const update = async (model: string, change: { where: readonly Where[]; set: Fields; add?: Record<string, number> }) => {
    const { table } = tableOf(model);
    const add = Object.fromEntries(Object.entries(change.add ?? {}).map(([name, delta]) => [columnOf(model, name), delta]));
    const where = toConditions(model, change.where);
    const rows = await updateAuthRows(db, { table, where, set: toRow(model, change.set), add }).execute().catch(throwOutage);
    return rows.map((row) => toFields(model, row));
  };
  const remove = async (model: string, where: readonly Where[]) => {
    const rows = await deleteAuthRows(db, { table: tableOf(model).table, where: toConditions(model, where) }).execute().catch(throwOutage);
    return rows.map((row) => toFields(model, row));
  };
  const find = async (model: string, page: { where: readonly Where[]; limit: number; newestFirst: boolean }) => {
    const { table } = tableOf(model);
    const rows = await selectAuthRows(db, { ...page, table, where: toConditions(model, page.where) }).execute().catch(throwOutage);
    // The machine's clock, as better-auth's own, which still accepts the very moment at which something ends.
    return rows.filter((row) => Number(row["expires_at"] ?? Number.POSITIVE_INFINITY) > Date.now()).map((row) => toFields(model, row));
  };

  const adapter: CustomAdapter = {
    async create({ model, data }) {
      const row = toRow(model, { ...emptyRow(model), ...data });
      await insertAuthRow(db, { table: tableOf(model).table, row }).execute().catch(throwOutage);
      return data;
    },
    async findOne<Row>({ model, where }: Rows) {
      if (model === "user") return (await findUser(store, where)) as Row | null;
      if (model === "account") return (await findCredential(store, where)) as Row | null;
      return firstOf<Row>(await find(model, { where, limit: 1, newestFirst: false }));
    },
    async findMany<Row>({ model, where = [], limit, sortBy }: Page) {
      if (model === "account") return [await findCredential(store, where)].filter((each) => each !== null) as Row[];
      const newestFirst = sortBy?.field === "createdAt" && sortBy.direction === "desc";
      if (sortBy && !newestFirst) return refuse(`${model} sorted by ${sortBy.field}`);
      return (await find(model, { where, limit, newestFirst })) as Row[];
    },
    async update<Row>({ model, where, update: set }: Rows & { update: Row }) {
      // better-auth changes only an account's two-factor flag, which follows from second_factors.
      if (model === "user") return { ...(await findUser(store, where)), ...set } as Row;
      return firstOf<Row>(await update(model, { where, set: set as Fields }));
    },
    updateMany: async ({ model, where, update: set }) => (await update(model, { where, set })).length,
    incrementOne: async <Row>({ model, where, increment, set = {} }: Rows & { increment: Record<string, number>; set?: Fields | undefined }) =>
      firstOf<Row>(await update(model, { where, set, add: increment })),
    delete: async ({ model, where }) => {
      await remove(model, where);
    },
    deleteMany: async ({ model, where }) => (await remove(model, where)).length,
    // By id only, so at most one row; of two concurrent calls the database gives it to one.
    consumeOne: async <Row>({ model, where }: Rows) => firstOf<Row>(await remove(model, where)),
    count: async ({ model }) => refuse(`the number of ${model}s`),
  };
  return createAdapterFactory({
    config: { adapterId: "assay", adapterName: "Assay", supportsNumericIds: false, transaction: false },
    adapter: () => adapter,
  });
}

/** Columns that better-auth may leave out and that our tables require. */
function emptyRow(model: string): Fields {
  if (model === "twoFactor") return { verified: false, failedVerificationCount: 0, lockedUntil: null };
  return model === "session" ? { ipAddress: "", userAgent: "" } : {};
}
