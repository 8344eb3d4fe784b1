import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { findRoomCycle, findSmallFiles, findTableFaults, findUnusedPermissions, findUpwardFaults, type Wings } from "./check-structure.ts";

const wings: Wings = {
  wings: { "ads|scoring": ["store"], store: [] },
  upward: [{ from: "store/a.ts", to: "ads/b.ts", why: "because" }],
};
const upward = { from: "store/a.ts", to: "ads/b.ts" };

describe("the check of the layout", () => {
  it("finds a permission that no file uses", () => {
    assert.deepEqual(findUnusedPermissions(wings, [{ from: "scoring/x.ts", to: "store/y.ts" }]), []);
    assert.equal(findUnusedPermissions(wings, [{ from: "scoring/x.ts", to: "scoring/y.ts" }]).length, 1);
  });

  it("finds a listed upward import that is gone, and more than one", () => {
    assert.deepEqual(findUpwardFaults(wings, [upward]), []);
    assert.match(findUpwardFaults(wings, []).join(), /is not there/);
    assert.match(findUpwardFaults({ ...wings, upward: [...wings.upward, ...wings.upward] }, [upward]).join(), /at most 1/);
  });

  it("finds a cycle between rooms whose files form none, and excuses the listed upward import only", () => {
    const there = { from: "ads/serving/one.ts", to: "ads/clicks/two.ts" };
    const back = { from: "ads/clicks/three.ts", to: "ads/serving/four.ts" };
    assert.equal(findRoomCycle(wings, [there]), undefined);
    assert.deepEqual(findRoomCycle(wings, [there, back]), ["ads/serving", "ads/clicks", "ads/serving"]);
    const down = { from: "ads/b.ts", to: "store/c.ts" };
    assert.equal(findRoomCycle(wings, [upward, down]), undefined);
    assert.deepEqual(findRoomCycle(wings, [{ from: "store/other.ts", to: "ads/b.ts" }, down]), ["store", "ads", "store"]);
  });

  it("finds a small file with one user, but none that stands for a layer or has two", () => {
    const files = [{ path: "ads/small.ts", lines: 9 }, { path: "ads/long.ts", lines: 10 }, { path: "ads/offers.table.ts", lines: 5 }];
    const used = files.map(({ path }) => ({ from: "ads/user.ts", to: path }));
    assert.equal(findSmallFiles(files, used).length, 1);
    assert.deepEqual(findSmallFiles(files, [...used, { from: "ads/other.ts", to: "ads/small.ts" }]), []);
  });
});

describe("the check of table owners", () => {
  const owners = { offers: "ads/serving", ad_hours: "ads/reports" };
  const faultsOf = (file: string, source: string, exceptions: Parameters<typeof findTableFaults>[0]["exceptions"] = []) =>
    findTableFaults({ owners, exceptions }, new Map([[file, source]]));

  it("lets a room's own table files name the table, and nobody else", () => {
    const query = 'db.selectFrom("offers as o").innerJoin("ad_hours as h", "h.id", "o.id")';
    assert.match(faultsOf("ads/serving/offers.table.ts", query).join(), /^ads\/serving\/offers\.table\.ts names ad_hours/);
    assert.equal(faultsOf("money/ledger/ledger.table.ts", query).length, 2);
    assert.equal(faultsOf("ads/serving/request-ad.ts", 'db.deleteFrom("offers")').length, 1, "only its *.table.ts");
    assert.deepEqual(faultsOf("ads/serving/make-offers.sqlite.ts", "INSERT INTO offers (id) VALUES (?)"), []);
  });

  it("sees SQL in templates, and not words in comments", () => {
    for (const sql of ["SELECT 1 FROM offers", "UPDATE offers SET x = 1", "JOIN offers o ON true", 'insertText("offers", ["id"])']) {
      assert.equal(faultsOf("money/x.ts", `const text = \`${sql}\``).length, 1, sql);
    }
    assert.deepEqual(faultsOf("money/x.ts", "// SELECT 1 FROM offers\n/** UPDATE offers */\nconst offers = 1;"), []);
  });

  it("lets an exception read, not write, and finds one that is not used", () => {
    const exceptions = [{ file: "money/x.ts", tables: ["offers"], why: "because" }];
    assert.deepEqual(faultsOf("money/x.ts", 'db.selectFrom("offers")', exceptions), []);
    assert.match(faultsOf("money/x.ts", 'db.updateTable("offers")', exceptions).join(), /may only read/);
    assert.deepEqual(faultsOf("money/x.ts", 'db.updateTable("offers")', [{ ...exceptions[0]!, writes: true }]), []);
    assert.match(faultsOf("money/y.ts", "", exceptions).join(), /and it does not/);
  });
});

it("dependency-cruiser has at most 20 rules", () => {
  const { forbidden } = createRequire(import.meta.url)("../.dependency-cruiser.cjs") as { forbidden: unknown[] };
  assert.ok(forbidden.length <= 20, String(forbidden.length));
});
