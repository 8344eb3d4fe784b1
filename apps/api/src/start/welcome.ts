import type { FirstSignIns } from "./make-first-sign-ins.ts";

const exampleBody =
  '{"session_data":{"user_engagement":0.75,"session_duration":180,"scroll_depth":0.8,"interaction_count":12,"page_views":5,"return_visitor":true}}';

const curlLine = (address: string, key: string) =>
  `curl -s ${address}/api/ml/predict -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${exampleBody}'`;

/** Printed in the terminal after a start. */
export function welcomeText(service: {
  address: string;
  version: string;
  store: string;
  payer: string;
  hasLocalMailbox: boolean;
  first: FirstSignIns | undefined;
}): string {
  const { address, first } = service;
  const lines = [
    "",
    `  Assay ${service.version} is ready at ${address}`,
    `  Dashboard       ${address}/dashboard/`,
    `  API reference   ${address}/docs`,
    ...(service.hasLocalMailbox ? [`  Mailbox         ${address}/dashboard/mailbox   (no SMTP_URL: mails are stored here)`] : []),
    `  Store           ${service.store}`,
    `  Price           0.05 USD per call. ${service.payer}`,
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
  } else {
    lines.push(
      "  A new password  npm run -s assay -- account reset-password --email developer@localhost",
      "  A new key       npm run -s assay -- key create --email developer@localhost --name mine",
      "",
    );
  }
  return `${lines.join("\n")}\n`;
}
