/**
 * Why a request had no answer. `tls`: the connection could not be secured, or the certificate is not of this name.
 * `closed_early`: the connection, or what is valid of the answer, ended before the answer did. `answer_invalid`: its head is not
 * HTTP, or too long.
 */
export type EgressFailure =
  | "timeout"
  | "dns"
  | "connection_refused"
  | "unreachable"
  | "tls"
  | "closed_early"
  | "answer_invalid"
  | "proxy_unreachable"
  | "proxy_refused";

/** Ends an exchange. It has no text, because errors of sockets and resolvers contain addresses. */
export class EgressTrouble extends Error {
  override readonly name = "EgressTrouble";
  readonly reason: EgressFailure;

  constructor(reason: EgressFailure) {
    super(reason);
    this.reason = reason;
  }
}

const reasonOfCode: Record<string, EgressFailure> = {
  ECONNREFUSED: "connection_refused",
  ETIMEDOUT: "timeout",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  EACCES: "unreachable",
  EPERM: "unreachable",
};

/** An error of a socket or of Node's parser, as a reason. */
export function toTrouble(error: NodeJS.ErrnoException): EgressTrouble {
  if (error instanceof EgressTrouble) return error;
  const code = error.code ?? "";
  return new EgressTrouble(code.startsWith("HPE_") ? "answer_invalid" : (reasonOfCode[code] ?? "closed_early"));
}
