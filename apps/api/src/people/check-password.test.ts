import { passwordBounds } from "@assay/contract/dashboard/account.ts";
import { dictionary } from "@zxcvbn-ts/language-common";
import fc from "fast-check";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { printCommonPasswords } from "../../scripts/print-common-passwords.ts";
import { makePassword } from "../start/make-first-sign-ins.ts";
import { judgePassword, type PasswordVerdict } from "./check-password.ts";
import * as hashing from "./hash-password.ts";

const email = "jane.doe@example.com";

const hashPassword = (password: string) => hashing.hashAtOnce((turn) => hashing.hashPassword(turn, password));
const isPassword = (password: string, stored: string) => hashing.hashAtOnce((turn) => hashing.isPassword(turn, password, stored));

describe("password rules", () => {
  it("count characters of the NFKC form", () => {
    const cases: [string, PasswordVerdict][] = [
      ["zebra-9-k", "too_short"],
      ["zebra-9-ky", "fine"],
      // Nine characters in NFKC: the ligature counts as two.
      ["ﬁzebra9k", "too_short"],
      ["🦓🦒🐘🦏🦛🐪🐊🦜🦩", "too_short"],
      ["🦓🦒🐘🦏🦛🐪🐊🦜🦩🦚", "fine"],
      ["long enough ".repeat(11).slice(0, 129), "too_long"],
    ];
    for (const [password, verdict] of cases) assert.equal(judgePassword(password, email), verdict, password);
  });

  it("reject common passwords, also with digits, signs and look-alikes added [threat: guessed-password]", () => {
    const published = dictionary["passwords-common"].filter((password) => password.length >= passwordBounds.lengthMin);
    assert.ok(published.length > 1_000);
    for (const password of published) assert.notEqual(judgePassword(password, email), "fine", password);
    const dressed = ["PassWord1234", "P@ssw0rd2025", "!!Welcome2024!!", "1qaz2wsx3edc", "Qwertyuiop", "iLoveYou!!!", "sunshine#2024", "Summer-2026", "L3tm31n!2345", "admin@12345", "assay-2026!", "Terminator!77", "letmeinplease"];
    for (const password of dressed) assert.notEqual(judgePassword(password, email), "fine", password);
  });

  it("know the whole published list", () => {
    const kept = readFileSync(new URL("common-passwords.txt", import.meta.url), "utf8");
    assert.ok(kept === printCommonPasswords(), "stale: run node apps/api/scripts/print-common-passwords.ts");
  });

  it("reject repetitions, keyboard sequences and passwords derived from the address", () => {
    const cases: [string, PasswordVerdict][] = [
      ["aaaaaaaaaaaa", "repetitive"],
      ["abcabcabcabc", "repetitive"],
      ["12121212121212", "repetitive"],
      ["zyxwvutsrqpo", "sequence"],
      ["asdfghjklqwertz", "sequence"],
      ["jane.doe1990", "from_address"],
      ["Jane.Doe@Example.com", "from_address"],
    ];
    for (const [password, verdict] of cases) assert.equal(judgePassword(password, email), verdict, password);
  });

  it("accept phrases and generated passwords", () => {
    for (const password of ["correct horse battery", "seven quiet herons", "Tr0ub4dor&3xyz", "mein-hund-frisst-käse", "パスワードではない合言葉"]) {
      assert.equal(judgePassword(password, email), "fine", password);
    }
    for (let count = 0; count < 500; count += 1) {
      const password = makePassword();
      assert.equal(judgePassword(password, email), "fine", password);
    }
  });

  it("throw for no input", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 140 }), fc.string({ maxLength: 30 }), (password, address) => {
      assert.equal(typeof judgePassword(password, address), "string");
    }));
  });

  it("are stored with a salt: the same password has another key every time", async () => {
    const [one, other] = [await hashPassword("seven quiet herons"), await hashPassword("seven quiet herons")];
    const [[salt, key], [otherSalt, otherKey]] = [one.split(":"), other.split(":")];
    assert.deepEqual([salt === otherSalt, key === otherKey], [false, false]);
    assert.deepEqual([await isPassword("seven quiet herons", one), await isPassword("seven quiet heron", one)], [true, false]);
  });

  it("treat all Unicode spellings of a password as the same", async () => {
    const stored = await hashPassword("Zwölf kühle Bären");
    assert.equal(await isPassword("Zwölf kühle Bären".normalize("NFD"), stored), true);
    assert.equal(await isPassword("Zwolf kuhle Baren", stored), false);
  });
});
