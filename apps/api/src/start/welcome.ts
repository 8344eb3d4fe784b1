import type { FirstSignIns, KnownEmail } from "./make-first-sign-ins.ts";

const exampleBody =
  '{"session_data":{"user_engagement":0.75,"session_duration":180,"scroll_depth":0.8,"interaction_count":12,"page_views":5,"return_visitor":true}}';

const curlLine = (address: string, key: string) =>
  `curl -s ${address}/api/ml/predict -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${exampleBody}'`;

const assay = "npm run -s assay --";

/** Names only accounts that exist. */
function laterLines(known: KnownEmail): string[] {
  if (known.kind === "nobody") {
    return [
      "  There is no account yet. Make yourself the operator, then get a password:",
      `  ${assay} account create --email ADDRESS --tier Starter --verified --operator`,
      `  ${assay} account reset-password --email ADDRESS`,
    ];
  }
  const email = known.kind === "first_developer" ? known.email : "ADDRESS";
  return [`  A new password  ${assay} account reset-password --email ${email}`, `  A new key       ${assay} key create --email ${email} --name mine`];
}

/** Printed in the terminal after a start. */
export function welcomeText(service: {
  address: string;
  version: string;
  store: string;
  payer: string;
  /** Undefined where there is no local mailbox. */
  localToken: string | undefined;
  first: FirstSignIns | undefined;
  /** Undefined on the first start. */
  known: KnownEmail | undefined;
  /** Whether demo accounts may be made: on loopback. */
  isLocal: boolean;
  workers: number;
}): string {
  const { address, first, known, localToken } = service;
  const lines = [
    "",
    `  Assay ${service.version} is ready at ${address}`,
    `  Dashboard       ${address}/dashboard/`,
    `  API reference   ${address}/docs`,
    ...(localToken === undefined ? [] : [`  Mailbox         ${address}/dashboard/mailbox?token=${localToken}   (no SMTP_URL: mails are stored here)`]),
    `  Store           ${service.store}`,
    ...(service.workers > 1 ? [`  Workers         ${service.workers} processes on this port`] : []),
    `  Price           0.05 USD per call. ${service.payer}`,
    ...(service.isLocal ? [`  Demo            ${assay} demo   (accounts with a past: calls, ads, a finding, a payout)`] : []),
    "",
  ];
  if (first) {
    lines.push(
      "  First start. Save these: they are shown only once.",
      `  Developer       ${first.developer.email}   password ${first.developer.password}`,
      `  Operator        ${first.operator.email}    password ${first.operator.password}`,
      `  Live key        ${first.liveKey}`,
      `  Test key        ${first.testKey}   (real scores, no charge)`,
      "",
      "  Try it:",
      "",
      `  ${curlLine(address, first.liveKey)}`,
      "",
    );
  } else if (known) {
    lines.push(...laterLines(known), "");
  }
  return `${lines.join("\n")}\n`;
}
