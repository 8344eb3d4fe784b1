import type { DeliveryAttempt, DeliveryItem } from "@assay/contract/dashboard/webhooks.ts";

export const topicLabels: Readonly<Record<string, string>> = {
  money: "Money",
  security: "Security",
  findings: "Findings",
  limits: "Limits",
  models: "Models",
  operations: "Operations",
};

/** Why there was no answer, by the code in the log. */
const errorTexts: Readonly<Record<string, string>> = {
  dns: "The host name was not found.",
  connection_refused: "The connection was refused.",
  unreachable: "The host could not be reached.",
  closed_early: "The connection ended before the answer did.",
  timeout: "No answer within 10 seconds.",
  tls: "The connection could not be secured: check the certificate.",
  proxy_unreachable: "The operator's proxy could not be reached.",
  proxy_refused: "The operator's proxy refused the connection.",
  answer_invalid: "The answer was not valid HTTP.",
  not_a_url: "The address is not a URL.",
  too_long: "The address is too long.",
  has_credentials: "The address contains a user name or a password.",
  has_fragment: "The address contains a #.",
  not_https: "The address does not start with https://.",
  host_not_public: "The host is not a public name.",
  address_not_public: "The host name leads to an address that is not public.",
  loopback_off: "The address is on the machine of this installation: whoever runs it must set WEBHOOK_LOOPBACK=on first.",
  port_not_allowed: "The port is not allowed: use 443 or 8443.",
  event_expired: "The event was deleted before it could be sent.",
  secret_unreadable: "The endpoint's secret cannot be read. Rotate it.",
  endpoint_disabled: "The endpoint was switched off.",
  internal_error: "An error on our side.",
};

export const describeError = (error: string): string => errorTexts[error] ?? error.replaceAll("_", " ");

/** The answer in a few words. */
export function describeAnswer({ status, error }: Pick<DeliveryAttempt, "status" | "error">): string {
  if (status !== null) return `Answered ${status}`;
  return error === null ? "No answer yet" : describeError(error);
}

export const answerOf = ({ is_sending: isSending, last_status: status, last_error: error }: DeliveryItem): string => (isSending ? "Being sent" : describeAnswer({ status, error }));

/** Enough of a URL to tell endpoints apart. */
export function shortUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === "/" ? "" : pathname}`;
}

/** JSON with line breaks; anything else as it is. */
export function layOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
