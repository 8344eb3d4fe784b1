import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keyStateOf } from "../../access/keys/key-state.ts";
import { type AnsweredRequest, createRequestGatherer, endpointOf, refusalsPerMinuteMax, successesPerMinuteMax } from "../../access/requests/gather-requests.ts";
import { checkPayee } from "../../register/check-payee.ts";
import { monthAndLastMonth, todayAndYesterday } from "./read-overview.ts";
import { raiseToBilled } from "./report-requests.ts";

const hour = 3_600_000;
const noon = Date.UTC(2026, 2, 31, 12, 30);

const request = (more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  accountId: "acct_1",
  keyId: "key_1",
  atMs: noon,
  requestId: "req_1",
  method: "POST",
  route: "/api/ml/predict",
  status: 200,
  durationMs: 1,
  failure: undefined,
  ...more,
});

describe("requests by endpoint", () => {
  const raise = (counted: [number, number][], billed: [number, number][]) =>
    raiseToBilled(
      counted.map(([start, requests]) => ({ start: start * hour, name: "predict", requests })),
      billed.map(([start, calls]) => ({ start: start * hour, endpoint: "predict", calls })),
      hour,
    ).map(({ start, requests }) => [start / hour, requests]).toSorted(([one], [other]) => one! - other!);

  it("are at least the billed calls, of which a crash may have lost the count", () => {
    assert.deepEqual(raise([[1, 2], [2, 5]], [[1, 4], [2, 5]]), [[1, 4], [2, 5]]);
    assert.deepEqual(raise([], [[1, 3]]), [[1, 3]]);
    assert.deepEqual(raise([[1, 7]], [[1, 3]]), [[1, 7]]);
  });

  it("include a call once that was billed in one hour and answered in the next", () => {
    assert.deepEqual(raise([[2, 1]], [[1, 1]]), [[1, 1]]);
    assert.deepEqual(raise([[1, 4], [2, 8]], [[1, 6], [2, 5]]), [[1, 6], [2, 6]]);
    assert.deepEqual(raise([[1, 4], [2, 6]], [[1, 6], [2, 5]]), [[1, 6], [2, 5]], "one of two: the count of the other was lost");
    assert.deepEqual(raise([[1, 4], [2, 6]], [[2, 5], [1, 6]]), [[1, 6], [2, 5]], "in whatever order the hours are read");
    assert.deepEqual(raise([[1, 4], [3, 8]], [[1, 6], [3, 5]]), [[1, 6], [3, 8]], "not from an hour later");
  });
});

describe("the request log", () => {
  const gather = () => {
    let id = 0;
    return createRequestGatherer(() => `log_${(id += 1)}`);
  };

  it("counts every request and has each as a line or in a summary", () => {
    const anyRequest = fc.record({
      accountId: fc.constantFrom("acct_1", "acct_2"),
      keyId: fc.constantFrom("", "key_1", "key_2"),
      status: fc.constantFrom(200, 400, 429),
      route: fc.constantFrom("/api/ml/predict", "/ml/predict", "/api/usage"),
      // Bursts with pauses: minutes that overflow, and minutes that end before a flush.
      afterMs: fc.oneof({ weight: 150, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 30_000, max: 90_000 }) }),
      isFlushed: fc.oneof({ weight: 100, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    });
    fc.assert(
      fc.property(fc.array(anyRequest, { minLength: 300, maxLength: 900 }), (requests) => {
        const gatherer = gather();
        const taken: ReturnType<typeof gatherer.take>[] = [];
        let atMs = noon;
        for (const { afterMs, isFlushed, ...rest } of requests) {
          atMs += afterMs;
          gatherer.add(request({ ...rest, atMs }));
          if (isFlushed) taken.push(gatherer.take(atMs, false));
        }
        taken.push(gatherer.take(atMs, true));
        const total = (rows: readonly { requests: number }[]) => rows.reduce((sum, row) => sum + row.requests, 0);
        assert.equal(total(taken.flatMap(({ hours }) => hours)), requests.length);
        assert.equal(total(taken.flatMap(({ logs }) => logs)), requests.length);
        for (const { hours } of taken) {
          const names = hours.map((row) => [row.account_id, row.hour, row.endpoint, row.key_id, row.status].join(" "));
          assert.equal(new Set(names).size, names.length, "no row twice in one write");
        }
        assert.deepEqual(gatherer.take(atMs, true), { hours: [], logs: [] });
      }),
      { numRuns: 40 },
    );
  });

  it("keeps a bounded number of lines of a flood and summarises the rest in one", () => {
    const gatherer = gather();
    const failure = { code: "rate_limit_exceeded", message: "wait" };
    for (let count = 0; count < 100_000; count += 1) gatherer.add(request({ status: 429, failure }));
    for (let count = 0; count < 1_000; count += 1) gatherer.add(request({}));
    const { hours, logs } = gatherer.take(noon, false);
    assert.deepEqual(hours.map(({ status, requests }) => [status, requests]), [[200, 1_000], [429, 100_000]]);
    assert.equal(logs.length, refusalsPerMinuteMax + successesPerMinuteMax);
    assert.deepEqual(gatherer.take(noon + 30_000, false).logs, [], "the minute is not over");
    const { logs: summaries } = gatherer.take(noon + 60_000, false);
    assert.deepEqual(
      summaries.map((row) => [row.status, row.requests, row.request_id, row.error]),
      [[429, 100_000 - refusalsPerMinuteMax, null, "rate_limit_exceeded"], [200, 1_000 - successesPerMinuteMax, null, null]],
    );
  });

  it("stays bounded while minute after minute passes without a flush", () => {
    const gatherer = gather();
    const keys = Array.from({ length: 10_000 }, (_, index) => `key_${index}`);
    for (let minute = 0; minute < 6; minute += 1) {
      for (const keyId of keys) gatherer.add(request({ keyId, atMs: noon + minute * 60_000 }));
    }
    const { hours, logs } = gatherer.take(noon + 360_000, true);
    assert.equal(hours.reduce((sum, row) => sum + row.requests, 0), 60_000);
    assert.ok(logs.length <= 30_000 + 6 * successesPerMinuteMax, `${logs.length} rows wait`);
  });

  it("keeps room for successes beside refusals, and for other accounts", () => {
    const gatherer = gather();
    for (let count = 0; count < 1_000; count += 1) gatherer.add(request({ status: 400 }));
    gatherer.add(request({ requestId: "req_good" }));
    gatherer.add(request({ accountId: "acct_2", keyId: "key_9", requestId: "req_other" }));
    const ids = new Set(gatherer.take(noon, false).logs.map((row) => row.request_id));
    assert(ids.has("req_good") && ids.has("req_other"));
  });

  it("counts each request in its hour", () => {
    const gatherer = gather();
    gatherer.add(request({ atMs: Date.UTC(2026, 0, 1, 0, 59, 59, 999) }));
    gatherer.add(request({ atMs: Date.UTC(2026, 0, 1, 1) }));
    const { hours } = gatherer.take(noon, true);
    assert.deepEqual(hours.map((row) => [row.hour, row.requests]), [[Date.UTC(2026, 0, 1), 1], [Date.UTC(2026, 0, 1, 1), 1]]);
  });

  it("names billed endpoints as the ledger does", () => {
    assert.equal(endpointOf({ method: "POST", route: "/ml/predict" }), "predict");
    assert.equal(endpointOf({ method: "GET", route: "/api/sessions/:session_id" }), "GET /api/sessions/:session_id");
  });
});

describe("compared spans", () => {
  it("have the same length, unless last month was shorter", () => {
    const day = todayAndYesterday(noon);
    assert.deepEqual(day.present, { fromMs: Date.UTC(2026, 2, 31), toMs: Date.UTC(2026, 2, 31, 13) });
    assert.deepEqual(day.previous, { fromMs: Date.UTC(2026, 2, 30), toMs: Date.UTC(2026, 2, 30, 13) });
    const month = monthAndLastMonth(noon);
    assert.deepEqual(month.previous, { fromMs: Date.UTC(2026, 1), toMs: Date.UTC(2026, 2) }, "February has no 31st");
    assert.deepEqual(monthAndLastMonth(Date.UTC(2026, 0, 15, 6)).previous, { fromMs: Date.UTC(2025, 11), toMs: Date.UTC(2025, 11, 15, 7) });
  });

  it("never overlap", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }), (nowMs) => {
        for (const { present, previous } of [todayAndYesterday(nowMs), monthAndLastMonth(nowMs)]) {
          assert(previous.fromMs < previous.toMs && previous.toMs <= present.fromMs && present.fromMs <= nowMs && nowMs < present.toMs);
          assert.equal(present.toMs % hour, 0);
        }
      }),
    );
  });
});

describe("a key's state", () => {
  const key = { expires_at: null, revoked_at: null, replaced_by: null };
  it("follows from its times", () => {
    assert.equal(keyStateOf(key, 10).state, "active");
    assert.equal(keyStateOf({ ...key, expires_at: 10 }, 9).state, "active");
    assert.equal(keyStateOf({ ...key, expires_at: 10 }, 10).state, "expired");
    assert.equal(keyStateOf({ ...key, expires_at: 10, replaced_by: "key_2" }, 9).state, "rotated");
    assert.deepEqual(keyStateOf({ ...key, expires_at: 10, replaced_by: "key_2" }, 10), { state: "revoked", revokedAtMs: 10 });
    assert.deepEqual(keyStateOf({ expires_at: 10, replaced_by: "key_2", revoked_at: 5 }, 20), { state: "revoked", revokedAtMs: 5 });
  });
});

/** From the IBAN registry (ISO 13616), one per country. */
const ibanExamples = [
  "AD1200012030200359100100 AE070331234567890123456 AL47212110090000000235698741 AT611904300234573201 AZ21NABZ00000000137010001944",
  "BA391290079401028494 BE68539007547034 BG80BNBG96611020345678 BH67BMAG00001299123456 BI4210000100010000332045181",
  "BR1800360305000010009795493C1 BY13NBRB3600900000002Z00AB00 CH9300762011623852957 CR05015202001026284066",
  "CY17002001280000001200527600 CZ6508000000192000145399 DE89370400440532013000 DJ2100010000000154000100186 DK5000400440116243",
  "DO28BAGR00000001212453611324 EE382200221020145685 EG380019000500000000263180002 ES9121000418450200051332 FI2112345600000785",
  "FK88SC123456789012 FO6264600001631634 FR1420041010050500013M02606 GB29NWBK60161331926819 GE29NB0000000101904917",
  "GI75NWBK000000007099453 GL8964710001000206 GR1601101250000000012300695 GT82TRAJ01020000001210029690 HN88CABF00000000000250005469",
  "HR1210010051863000160 HU42117730161111101800000000 IE29AIBK93115212345678 IL620108000000099999999 IQ98NBIQ850123456789012",
  "IS140159260076545510730339 IT60X0542811101000000123456 JO94CBJO0010000000000131000302 KW81CBKU0000000000001234560101",
  "KZ86125KZT5004100100 LB62099900000001001901229114 LC55HEMM000100010012001200023015 LI21088100002324013AA LT121000011101001000",
  "LU280019400644750000 LV80BANK0000435195001 LY83002048000020100120361 MC5811222000010123456789030 MD24AG000225100013104168",
  "ME25505000012345678951 MK07250120000058984 MN121234123456789123 MR1300020001010000123456753 MT84MALT011000012345MTLCAST001S",
  "MU17BOMM0101101030300200000MUR NI45BAPR00000013000003558124 NL91ABNA0417164300 NO9386011117947 OM810180000001299123456",
  "PK36SCBL0000001123456702 PL61109010140000071219812874 PS92PALS000000000400123456702 PT50000201231234567890154",
  "QA58DOHB00001234567890ABCDEFG RO49AAAA1B31007593840000 RS35260005601001611379 RU0304452522540817810538091310419",
  "SA0380000000608010167519 SC18SSCB11010000000000001497USD SD8811123456789012 SE4550000000058398257466 SI56263300012039086",
  "SK3112000000198742637541 SM86U0322509800000000270100 SO211000001001000100141 ST23000100010051845310146",
  "SV62CENR00000000000000700025 TL380080012345678910157 TN5910006035183598478831 TR330006100519786457841326",
  "UA213223130000026007233566001 VA59001123000012345678 VG96VPVG0000012345678901 XK051212012345678906 YE15CBYE0001018861234567891234",
].flatMap((line) => line.split(" "));

describe("a payee profile", () => {
  const profile = { legal_name: " A ", address: "B", country: "DE", tax_id: null, method: "bank_transfer" as const, account: "DE89 3704 0044 0532 0130 00", bank_code: null };
  const verdictOf = (change: object) => checkPayee({ ...profile, ...change }).kind;
  const messageOf = (change: object) => {
    const checked = checkPayee({ ...profile, ...change });
    return checked.kind === "wrong" ? checked.message : "good";
  };

  it("is valid with an IBAN, an account number with its bank, or a PayPal address", () => {
    assert.deepEqual(checkPayee(profile), { kind: "good", profile: { ...profile, legal_name: "A", account: "DE89370400440532013000", bank_country: "DE" } });
    assert.equal(verdictOf({ account: "GB82 WEST 1234 5698 7654 32", bank_code: "westgb22" }), "good");
    assert.equal(verdictOf({ account: "000123456789", bank_code: "110000000", bank_country: "US" }), "good");
    assert.equal(verdictOf({ account: "123456-7", bank_code: "CHASUS33", bank_country: "US" }), "wrong", "a routing number says which account it is");
    assert.deepEqual(checkPayee({ ...profile, account: "123-456 789", bank_code: "dbss sg sg xxx" }), { kind: "good", profile: { ...profile, legal_name: "A", account: "123-456789", bank_code: "DBSSSGSGXXX", bank_country: "SG" } });
    assert.equal(verdictOf({ method: "paypal", account: "me@example.com" }), "good");
  });

  it("is invalid when any digit of its IBAN is wrong", () => {
    const iban = "DE89370400440532013000";
    for (let place = 2; place < iban.length; place += 1) {
      for (const digit of "0123456789") {
        const wrong = iban.slice(0, place) + digit + iban.slice(place + 1);
        assert.equal(verdictOf({ account: wrong }), wrong === iban ? "good" : "wrong", wrong);
      }
    }
    assert.equal(verdictOf({ account: "000123456789" }), "wrong");
    assert.equal(verdictOf({ method: "paypal", account: "nobody" }), "wrong");
    assert.equal(verdictOf({ bank_code: "short" }), "wrong");
  });

  it("accepts the registry's example of an IBAN of every country", () => {
    for (const iban of ibanExamples) assert.equal(messageOf({ account: iban }), "good", iban);
  });

  it("refuses an IBAN of another country's length or form, or of a country that has none, although its check digits are right", () => {
    // The check digits of each were computed for it: only the country's table tells that it is wrong.
    const wrong = {
      DE5137040044053201300: "its length",
      DE9837040044053201300000: "its length",
      NL54ABNA041716430A: "its form",
      GB46601613319268NWBK19: "its form",
      US88370400440532013000: "no IBANs",
      ZZ22370400440532013000: "no IBANs",
    };
    for (const [iban, why] of Object.entries(wrong)) assert.match(messageOf({ account: iban, bank_code: "110000000" }), /not a valid IBAN: it/, `${iban}: ${why}`);
    assert.match(messageOf({ account: "DE89", bank_code: "110000000" }), /wrong length/, "the beginning of an IBAN is not an account number");
  });

  it("refuses a bank of another country than the IBAN's; territories may have codes of their own", () => {
    assert.equal(messageOf({ bank_code: "DEUTDEFF500" }), "good");
    assert.match(messageOf({ bank_code: "BNPAFRPP" }), /another country/);
    assert.equal(messageOf({ account: "FR1420041010050500013M02606", bank_code: "SOGEGPGX" }), "good", "Guadeloupe");
    assert.equal(messageOf({ account: "GB29NWBK60161331926819", bank_code: "RBOSJESX" }), "good", "Jersey");
    assert.match(messageOf({ account: "GB29NWBK60161331926819", bank_code: "SOGEGPGX" }), /another country/);
  });

  it("needs an IBAN where the bank's country has them, and the bank's country where that is not said otherwise", () => {
    assert.match(messageOf({ account: "0532013000", bank_code: "37040044" }), /bank_country is required/);
    assert.match(messageOf({ account: "0532013000", bank_code: "37040044", bank_country: "DE" }), /must be an IBAN/);
    assert.match(messageOf({ account: "0532013000", bank_code: "COBADEFFXXX" }), /must be an IBAN/);
    assert.match(messageOf({ account: "31926819", bank_code: "60-16-13", bank_country: "JE" }), /must be an IBAN/);
    assert.match(messageOf({ account: "12345678", bank_code: "COBADEFF", bank_country: "AU" }), /another country than bank_country/);
    assert.match(messageOf({ bank_country: "FR" }), /another country than the IBAN's/);
    assert.match(messageOf({ account: "DE-89370400440532013000", bank_code: "1234", bank_country: "SG" }), /without dashes/);
    assert.match(messageOf({ account: "1234567", bank_code: "1234", bank_country: "ZZ" }), /bank_country must be/);
    assert.match(messageOf({ account: "12345678", bank_code: "ВNZ", bank_country: "SG" }), /bank_code must be/, "a Cyrillic letter");
    assert.match(messageOf({ tax_id: "DЕ123456789" }), /tax_id must be written/, "a Cyrillic letter");
    assert.equal(messageOf({ account: "ＤＥ８９370400440532013000", tax_id: "ＤＥ１２３" }), "good");
    const old = { ...profile, account: "31926819", bank_code: "601613" };
    assert.match(messageOf(old), /required/);
    const kept = checkPayee({ ...old, address: "Elsewhere" }, old);
    assert.equal(kept.kind, "good", "what is stored stays valid");
    assert.equal(checkPayee({ ...old, account: "31926818" }, old).kind, "wrong");
    assert.equal(checkPayee({ ...old, bank_country: "GB" }, old).kind, "wrong");
  });

  it("needs the national code, or the whole number, where its form is certain; what is stored stays valid", () => {
    const good: [string, string, string | null][] = [
      ["US", "000123456789", "021000021"], ["PR", "12345678", "021000021"],
      ["AU", "1234 5678", "062-000"], ["CX", "12345678", "062000"], ["AU", "1234567890", "062000"],
      ["CA", "1234567", "000312345"], ["CA", "1234567", "12345-003"], ["CA", "123456789012", "12345-003"],
      ["NZ", "12-3136-0193583-00", null], ["NZ", "12-3136-0193583-000", "123136"], ["NZ", "12-3136-0193583-00", "ASBBNZ2A"],
      ["MX", "032180000118359719", null], ["MX", "032 180 00011835971 9", "BNMXMXMM"],
      ["AR", "2850590940090418135201", null], ["AR", "0720000740090418135201", null],
      ["CK", "12345", "BCIRCKCR"],
    ];
    for (const [country, account, code] of good) assert.equal(messageOf({ account, bank_code: code, bank_country: country }), "good", `${country} ${account}`);
    const wrong: [string, string, string | null, RegExp][] = [
      ["PR", "12345678", "BPPRPRSX", /bank_code must be a routing number/], ["US", "12345678", "021000022", /bank_code must be a routing number/],
      ["AU", "12345678", "CTBAAU2S", /bank_code must be a BSB of 6 digits/], ["AU", "12345678", null, /bank_code is required/],
      ["AU", "06200012345678", "062000", /account must be .* at most 10 digits, without the BSB/], ["AU", "ACC12345678", "062000", /account must be/], ["AU", "12345678901", "062000", /at most 10/], ["NF", "12345678", "CTBAAU2S", /BSB/],
      ["CA", "1234567", "ROYCCAT2", /bank_code must be the institution and transit/], ["CA", "1234567", "900312345", /bank_code/], ["CA", "12345003 1234567", "12345003", /account must be/],
      ["NZ", "12-3136-0193583", "ASBBNZ2A", /account must be the full number of 15 or 16 digits/], ["NZ", "0193583-00", "123136", /15 or 16/], ["CK", "0193583-00", "ASBBNZ2A", /15 or 16/], ["NZ", "12-3136-0193583-0000", null, /15 or 16/],
      ["MX", "00011835971", "BNMXMXMM", /account must be a CLABE of 18 digits/], ["MX", "032180000118359718", null, /check digit/],
      ["AR", "4009041813520", "285", /account must be a CBU/], ["AR", "2850590840090418135201", null, /check digits/], ["AR", "2850590940090418135202", null, /check digits/], ["AR", "28505909400904181352010", null, /22 digits/],
      ["SG", "12345678", null, /bank_code is required/],
    ];
    for (const [country, account, code, why] of wrong) {
      assert.match(messageOf({ account, bank_code: code, bank_country: country }), why, `${country} ${account}`);
      const stored = { ...profile, account: account.replaceAll(" ", ""), bank_code: code, bank_country: country };
      assert.equal(checkPayee({ ...stored, address: "Elsewhere" }, stored).kind, "good", `${country} ${account}, stored`);
    }
  });

  it("has a PayPal address in printable ASCII, without what is seen and not read; one that is stored stays valid", () => {
    const address = (account: string) => ({ method: "paypal", account });
    for (const good of ["ada@example.com", "a.b+c_d-e'f@mail.example.com", "ada@xn--exmple-cua.de"]) assert.equal(messageOf(address(good)), "good", good);
    for (const wrong of ["a\u200Bda@example.com", "ad\u00ADa@example.com", "\u0430da@example.com", "ada@ex\u00E4mple.de", "ａda@example.com", '"ada"@example.com', "ada(1)@example.com"]) {
      assert.match(messageOf(address(wrong)), /account must be an e-mail address in plain letters/, wrong);
      const stored = { ...profile, ...address(wrong), method: "paypal" as const };
      assert.equal(checkPayee({ ...stored, address: "Elsewhere" }, stored).kind, "good");
      assert.equal(checkPayee({ ...stored, account: `b${wrong}` }, stored).kind, "wrong");
    }
  });

  it("has a country of ISO 3166", () => {
    for (const country of ["DE", "AX", "SJ", "TW"]) assert.equal(messageOf({ country }), "good", country);
    for (const country of ["XK", "EU", "UK", "ZZ", "AA"]) assert.match(messageOf({ country }), /ISO 3166/, country);
  });
});
