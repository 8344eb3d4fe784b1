import { accessMutants } from "./access.ts";
import { adsMutants } from "./ads.ts";
import { adsReportMutants } from "./ads-report.ts";
import { attestationAdsMutants } from "./attestation-ads.ts";
import { attestationCollectorMutants } from "./attestation-collector.ts";
import { attestationBenchMutants } from "./attestation-bench.ts";
import { attestationLedgerMutants } from "./attestation-ledger.ts";
import { attestationSdkMutants } from "./attestation-sdk.ts";
import { attestationSitesMutants } from "./attestation-sites.ts";
import { attestationPagesMutants } from "./attestation-pages.ts";
import { attestationPrivacyMutants } from "./attestation-privacy.ts";
import { auditMutants } from "./audit.ts";
import { authMutants } from "./auth.ts";
import { authorizationMutants } from "./authorization.ts";
import { benchMutants } from "./bench.ts";
import { calibrationMutants } from "./calibration.ts";
import { clientMutants } from "./clients.ts";
import { daysMutants } from "./days.ts";
import { demoMutants } from "./demo.ts";
import { driftMutants } from "./drift.ts";
import { egressMutants } from "./egress.ts";
import { evidenceMutants } from "./evidence.ts";
import { eventsMutants } from "./events.ts";
import { explainMutants } from "./explain.ts";
import { evaluatorMutants } from "./evaluator.ts";
import { failoverMutants } from "./failover.ts";
import { forgeMutants } from "./forge.ts";
import { gatesMutants } from "./gates.ts";
import { growthMutants } from "./growth.ts";
import { laneMutants } from "./lane.ts";
import { logMutants } from "./log.ts";
import { modelMutants } from "./models.ts";
import { moneyMutants } from "./money.ts";
import type { Mutant } from "./mutant.ts";
import { noticesMutants } from "./notices.ts";
import { pagesMutants } from "./pages.ts";
import { payeesMutants } from "./payees.ts";
import { payoutMutants } from "./payouts.ts";
import { peopleMutants } from "./people.ts";
import { phonesMutants } from "./phones.ts";
import { pipelineMutants } from "./pipeline.ts";
import { powerMutants } from "./power.ts";
import { prepaidMutants } from "./prepaid.ts";
import { prepareMutants } from "./prepare.ts";
import { redisMutants } from "./redis.ts";
import { referenceMutants } from "./reference.ts";
import { rolesMutants } from "./roles.ts";
import { verifyLogMutants } from "./verify-log.ts";
import { tlogMutants } from "./tlog.ts";
import { watchMutants } from "./watch.ts";
import { webhooksSdkMutants } from "./webhooks-sdk.ts";
import { webhooksDeliveriesMutants } from "./webhooks-deliveries.ts";
import { patroniMutants } from "./patroni.ts";
import { workersMutants } from "./workers.ts";
import { writerMutants } from "./writer.ts";
import { webhooksEndpointsMutants } from "./webhooks-endpoints.ts";

export const mutants: readonly Mutant[] = [
  ...modelMutants,
  ...moneyMutants,
  ...prepaidMutants,
  ...payoutMutants,
  ...daysMutants,
  ...growthMutants,
  ...accessMutants,
  ...peopleMutants,
  ...payeesMutants,
  ...authorizationMutants,
  ...adsMutants,
  ...adsReportMutants,
  ...gatesMutants,
  ...explainMutants,
  ...evaluatorMutants,
  ...forgeMutants,
  ...auditMutants,
  ...authMutants,
  ...demoMutants,
  ...evidenceMutants,
  ...pagesMutants,
  ...watchMutants,
  ...benchMutants,
  ...calibrationMutants,
  ...clientMutants,
  ...phonesMutants,
  ...pipelineMutants,
  ...laneMutants,
  ...powerMutants,
  ...logMutants,
  ...patroniMutants,
  ...workersMutants,
  ...writerMutants,
  ...verifyLogMutants,
  ...redisMutants,
  ...referenceMutants,
  ...rolesMutants,
  ...tlogMutants,
  ...webhooksSdkMutants,
  ...webhooksDeliveriesMutants,
  ...egressMutants,
  ...eventsMutants,
  ...webhooksEndpointsMutants,
  ...noticesMutants,
  ...attestationAdsMutants,
  ...attestationCollectorMutants,
  ...attestationBenchMutants,
  ...attestationLedgerMutants,
  ...attestationSdkMutants,
  ...attestationSitesMutants,
  ...attestationPagesMutants,
  ...attestationPrivacyMutants,
  ...prepareMutants,
  ...driftMutants,
  ...failoverMutants,
];
