import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { findPersonalData } from "./find-personal-data.ts";

const documented = new Set([
  "session_data",
  "user_engagement",
  "session_duration",
  "scroll_depth",
  "interaction_count",
  "page_views",
  "return_visitor",
]);
const none = new Set<string>();
const list = (text: string): string[] => text.split("\n").flatMap((line) => line.trim().split(/ +/).filter(Boolean));

const refused = [
  ...list(`
    email Email EMAIL emails e-mail e_mail eMail EMail E-Mails e.mail email2 Email_2 e_mail2 contact-email user.email user[email]
    userEMail customerEmail email_hash sha256Email email_domain useremail emailaddress mail mail_address
    phone phoneNumber phone_number phones mobile_phone PHONE phone2 phonenumber telephone cellphone tel mobile mobile_number
    contact_number msisdn fax whatsapp_number
    name Name names firstName first_name first-name lastName lastname last_names fullName full_name middleName given_name family_name
    user_name userName username usernames playerName displayName DisplayName nickname nick_name surname forename name_first
    customer_name login_name real_name gamertag lname
    ip IP ips ip4 ip_1 IPAddress ipAddress ip_address ipaddress ipAddr userIPAddress clientIP client_ip clientIPs remote_ip userIp
    ipv4 ipv6 IPv4 clientIPv6 ip_v4 ipV6 x-real-ip x_forwarded_for remote_addr REMOTE_ADDR sourceIp ip_hash
    mac macAddress mac_address MACAddress wifi_mac bssid
    lat lon lng lat1 latitude longitude user_latitude Latitude latLng lat_lng latlong geo_lat userLng location_lat coords coordinates
    gps gps_accuracy GPSLocation geohash geo_hash geoLocation geo_location geolocation precise_location userLocation
    user users uid user_id userId userID userIDs USERID USER_ID user-id userid endUserId user_uuid userUUID userHash user_token
    user_identifier playerId player_uuid customer_id customerHash accountId account_uuid account_number visitorId visitorToken
    visitor_hash member_id anonymousId distinct_id
    device_id deviceId deviceID deviceUUID device_uuid device_token deviceids installId install_uuid installation_id
    advertisingId advertising_id android_id androidId imei IMEI imei2 imsi idfa IDFA idfv gaid udid push_token device_serial cookie_id
    fingerprint browserFingerprint device_fingerprint finger_print
    dob DOB birthday birthDate birth_date dateOfBirth date_of_birth birth_year year-of-birth
    ssn social_security_number passport_number passportNo national_id tax_id credit_card credit_card_number cardNumber iban
    driver_license license_plate
    address Address addresses address2 address_line_1 street street_address streetAddress home_address billingAddress shipping_address
    postal_address house_number
  `),
  "ｅｍａｉｌ",
  "Ｕｓｅｒ＿ＩＤ",
  "first name",
  " email ",
  "user/email",
  "$phone",
  "e\u2011mail",
];

const passed = [
  ...list(`
    latency latency_ms latencyMs p99_lat x_lat avg_lat platform platform_version description skip_count event_name device_type eventName
    page_name pageName campaign_name file_name fileName filename hostname host_name screen_name screenName app_name font_family_name
    family event_name_last product_name class_name tag_name browser_name os_name field_name names_shown rename renamed unnamed
    flat flatness plate template translation relation lateral lattice late latest later
    long longest_session longevity lonely belong
    telemetry tel_link_clicks telescope hotel intel mobile_layout mobileFirst automobile immobile is_mobile_layout
    address_bar_visible addressable web_address_kind memory_address server_address wallet_address
    macro macros macOS macos mac_version machine stomach
    userland user_engagement user_context user_agent userAgent user_type userTier user_language usergroup superuser reuse
    user_idle_ms userIdle users_online user_session_id user_event_name abuser
    session_id sessionId request_id ad_id campaign_id advertiser_id placement_id page_id item_id id ids uuid trace_id client_id
    ship shipping shipping_method zip zip_file zipped postal_code tip tips trip clip skip_intro equip ip_version ip_country
    device device_model deviceClass device_pixel_ratio device_memory install install_source account_type account_age_days
    player_level playerScore visitor visitor_type customer_segment
    location location_hash page_location geo geography country city region timezone locale
    first_visit first_event last_event last_seen full_screen display_mode displayed display_width
    given_up home home_screen street_view
    microphone headphones phonetic smartphone iphone iPhone iPhoneModel i_phone saxophone megaphone
    emailed emailing mailbox mail_client mailing_list blackmail
    birth_rate_chart rebirth birthmark print_finger
    hash token access_token csrf_token content_hash hashed tokenised
    coordinate_system click_coordinates mouse_coords coordinator
    gpsless dobby ssnake imeister fingerprinting_blocked
    interactions scrollDepth pageViews returning score trust_level bounce entry exit duration total count
    2026-01-15 v2 a1 123 123456 items[0] constructor toString hasOwnProperty
    credit card cards_played card_index pass passport_strategy tax_included
    forwarded for online_for social social_feed security security_level
    anonymous distinct_pages cookie cookies_enabled browser browser_version
  `),
  "",
  "   ",
  "名前",
  "émail",
  "___",
];

describe("field names that indicate personal data", () => {
  it("are tested with at least 80 distinct names on either side", () => {
    for (const table of [refused, passed]) {
      assert.equal(new Set(table).size, table.length, "a name is listed twice");
      assert.ok(table.length >= 80, `only ${table.length} names`);
    }
  });

  const isFound = (name: string): boolean[] => [
    findPersonalData({ [name]: "x" }, none) !== undefined,
    findPersonalData({ session_data: { [name]: 7 } }, documented) !== undefined,
  ];

  it("are refused if they name a person, a place or a device", () => {
    assert.deepEqual(refused.filter((name) => isFound(name).includes(false)), []);
  });

  it("are accepted if they only look similar", () => {
    assert.deepEqual(passed.filter((name) => isFound(name).includes(true)), []);
  });
});

describe("field names that are personal data themselves", () => {
  const exposed = [
    "anna@example.com",
    "@anna",
    "anna＠example.com",
    "1234567",
    "4111111111111111",
    "+49 170 1234567",
    "(0170) 123-4567",
    "555.123.4567",
    "٠١٢٣٤٥٦٧٨",
    "１２３４５６７",
    "192.168.100.200",
  ];
  for (const name of exposed) {
    it(`refuses ${name} with any value, and shows only its parent`, () => {
      for (const value of ["x", 1, true, null, {}, []]) {
        assert.deepEqual(findPersonalData({ [name]: value }, none), { path: "", repeatable: false });
        assert.deepEqual(findPersonalData({ seen: [0, { [name]: value }] }, none), { path: "seen[1]", repeatable: false });
      }
    });
  }

  it("does not show a number that is part of a refused name", () => {
    assert.deepEqual(findPersonalData({ seen: { phone_00491701234567: "x" } }, none), { path: "seen", repeatable: false });
    assert.deepEqual(findPersonalData({ seen: { "email anna@example.com": 1 } }, none), { path: "seen", repeatable: false });
  });

  it("does not show a number that is part of a parent's name", () => {
    assert.deepEqual(findPersonalData({ seen: { item_4917012345: { email: "x" } } }, none), { path: "seen.*.email", repeatable: true });
  });

  it("does not show a documented parent that is a number, and still searches it", () => {
    assert.deepEqual(findPersonalData({ "12345678": { email: "x" } }, new Set(["12345678"])), { path: "*.email", repeatable: true });
  });
});

describe("the value of a field", () => {
  it("is harmless if it is a boolean or null", () => {
    for (const name of ["has_email", "email", "user", "ip", "device_id"]) {
      for (const value of [true, false, null]) assert.equal(findPersonalData({ [name]: value }, none), undefined, name);
      for (const value of ["", "true", 0, 1, {}, [], [true], [null]]) {
        assert.notEqual(findPersonalData({ [name]: value }, none), undefined, `${name}: ${JSON.stringify(value)}`);
      }
    }
  });

  const measured = list("ip_count email_count emailCount phone_total email_rate email_open_ratio gps_ms GPSFixMs phone_seconds email_count2");
  for (const name of measured) {
    it(`may be a number in ${name}, and nothing else`, () => {
      for (const value of [0, 3, -1, 0.25]) assert.equal(findPersonalData({ [name]: value }, none), undefined);
      for (const value of ["3", ["a"], { a: 1 }]) {
        // `ip_count` does not indicate personal data at all.
        if (name !== "ip_count") assert.notEqual(findPersonalData({ [name]: value }, none), undefined);
      }
    });
  }

  it("may be a number only by the last token of the name", () => {
    for (const name of ["count_email", "email_count_of_user", "email_length", "phone", "lat", "count_of_phone"]) {
      assert.notEqual(findPersonalData({ [name]: 3 }, none), undefined, name);
    }
  });

  it("is searched in accepted and documented fields", () => {
    assert.deepEqual(findPersonalData({ has_email: [{ phone: 1 }] }, none)?.path, "has_email");
    assert.deepEqual(findPersonalData({ session_data: { page: { phone: 1 } } }, documented)?.path, "session_data.page.phone");
    assert.equal(findPersonalData({ user: { page: 1 } }, new Set(["user"])), undefined);
    assert.deepEqual(findPersonalData({ user: { page: 1, email: "x" } }, new Set(["user"]))?.path, "user.email");
  });
});

describe("the path of the field", () => {
  const cases: [body: unknown, path: string][] = [
    [{ email: "x" }, "email"],
    [{ session_data: { account: { email: "x" } } }, "session_data.account.email"],
    [{ items: [1, "a", null, { phone: "x" }] }, "items[3].phone"],
    [[[{ phone: "x" }]], "[0][0].phone"],
    [{ deep: { email: "x" }, phone: "y" }, "phone"],
    [{ a: { email: "x" }, b: { phone: "y" } }, "a.email"],
    [{ "e\u0000mail\n": 1, "\u202eemail\u0007": "x" }, "email"],
  ];
  for (const [body, path] of cases) {
    it(`names ${path}`, () => assert.deepEqual(findPersonalData(body, none), { path, repeatable: true }));
  }

  it("stays short for long and deep names", () => {
    const long = `email_${"x".repeat(60_000)}`;
    assert.match(findPersonalData({ [long]: 1 }, none)?.path ?? "", /^email_x{58}…$/);
    let body: unknown = { phone: "x" };
    for (let depth = 0; depth < 30; depth += 1) body = { [`😀page_${"y".repeat(depth)}`]: body };
    const path = findPersonalData(body, none)?.path ?? "";
    assert.ok(path.length <= 200 && path.startsWith("…") && path.endsWith(".phone"), path);
    assert.equal(path.isWellFormed(), true);
  });

  it("copes with a body nested 30,000 deep", () => {
    const open = '{"a":'.repeat(10_000) + "[".repeat(10_000);
    const close = "]".repeat(10_000) + "}".repeat(10_000);
    assert.equal(findPersonalData(JSON.parse(`${open}1${close}`), none), undefined);
    const path = findPersonalData(JSON.parse(`${open}{"phone":"x"}${close}`), none)?.path ?? "";
    assert.ok(path.length <= 200 && path.endsWith("[0].phone"), path);
    assert.equal(findPersonalData(JSON.parse("[".repeat(30_000) + "]".repeat(30_000)), none), undefined);
  });
});

describe("for arbitrary JSON", () => {
  it("never throws, and returns a bounded path", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (body) => {
        const finding = findPersonalData(body, documented);
        return finding === undefined || (finding.path.length <= 200 && finding.path.isWellFormed() && !/\p{Cc}|@/u.test(finding.path));
      }),
      { numRuns: 2_000 },
    );
  });

  it("never shows a value", () => {
    const secret = "Qz7-secret-value";
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constant(secret),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(fc.oneof(fc.constantFrom("email", "page", "user", "items", "ip_hash"), fc.string()), tie("tree"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (body) => !JSON.stringify(findPersonalData(body, none) ?? "").includes(secret)),
      { numRuns: 2_000 },
    );
  });

  it("finds a refused name at any depth, cached or not [threat: personal-data]", () => {
    const name = fc.constantFrom(...refused);
    const around = fc.array(fc.oneof(fc.constantFrom("page", "items", "session_data"), fc.nat({ max: 3 })), { maxLength: 8 });
    fc.assert(
      fc.property(name, around, (field, steps) => {
        const body = steps.reduce<unknown>(
          (inner, step) => (typeof step === "number" ? [...Array.from({ length: step }, () => 0), inner] : { [step]: inner }),
          { [field]: "x" },
        );
        return findPersonalData(body, documented) !== undefined && findPersonalData(body, documented) !== undefined;
      }),
    );
  });

  it("gives the same verdicts after a flood of new names", () => {
    for (let round = 0; round < 20_000; round += 1) findPersonalData({ [`page_${round}_kind`]: 1 }, none);
    assert.equal(findPersonalData({ latency: 1 }, none), undefined);
    assert.equal(findPersonalData({ email: "x" }, none)?.path, "email");
  });
});
