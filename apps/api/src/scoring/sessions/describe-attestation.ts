import { type Attestation, type AttestationIssue, type AttestedSignal, attestedSignals } from "@assay/contract/attestation.ts";

/** The bits of these signals, as session records store them. */
export const attestedBits = (signals: Iterable<AttestedSignal>): number => [...signals].reduce((bits, signal) => bits | (1 << attestedSignals.indexOf(signal)), 0);

export type AttestationFields = { attestation: Attestation; attested: AttestedSignal[]; attestation_issues: AttestationIssue[] };

/** What a stored session says about its token. */
export function describeAttestation({ attested, attestation_issues: issues }: { attested: number | null; attestation_issues: string | null }): AttestationFields {
  const signals = attestedSignals.filter((_, index) => ((attested ?? 0) & (1 << index)) !== 0);
  return {
    attestation: signals.length > 0 ? "server_timed" : "asserted",
    attested: signals,
    attestation_issues: issues === null ? [] : (issues.split(",") as AttestationIssue[]),
  };
}
