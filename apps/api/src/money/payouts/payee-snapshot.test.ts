import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hasPayeeChanged, type PayeeSnapshot, payeeSnapshot, readSnapshot } from "./payee-snapshot.ts";

const payee: PayeeSnapshot = {
  legal_name: "Ada Lovelace",
  address: "12 St James's Square, London",
  country: "GB",
  tax_id: "GB 123 456",
  method: "bank_transfer",
  account: "GB29NWBK60161331926819",
  bank_code: "NWBKGB2L",
  bank_country: "GB",
};

describe("the payee that a payout keeps", () => {
  it("has changed when any one of method, account, bank code or tax id has, also to none and from none", () => {
    const changes: Partial<PayeeSnapshot>[] = [{ method: "paypal" }, { account: "DE89370400440532013000" }, { bank_code: "DEUTDEFF" }, { bank_code: null }, { bank_country: "JE" }, { tax_id: "GB 654 321" }, { tax_id: null }];
    for (const change of changes) {
      assert.equal(hasPayeeChanged(payee, { ...payee, ...change }), true, JSON.stringify(change));
      assert.equal(hasPayeeChanged({ ...payee, ...change }, payee), true, `from ${JSON.stringify(change)}`);
    }
  });

  it("has not changed when its name, address or country was corrected", () => {
    assert.equal(hasPayeeChanged(payee, { ...payee }), false);
    for (const correction of [{ legal_name: "Ada King" }, { address: "Ockham Park" }, { country: "IE" }]) assert.equal(hasPayeeChanged(payee, { ...payee, ...correction }), false);
    const { bank_country: _open, ...earlier } = payee;
    assert.equal(hasPayeeChanged(earlier, payee), false, "an earlier version left the bank's country open");
  });

  it("is read as it was written, and equal payees give equal texts", () => {
    assert.deepEqual(readSnapshot(payeeSnapshot(payee)), payee);
    const reordered = Object.fromEntries(Object.entries({ ...payee, account_id: "acct_1", usable_from: 5 }).toReversed()) as PayeeSnapshot;
    assert.equal(payeeSnapshot(reordered), payeeSnapshot(payee));
  });
});
