import { accessMutants } from "./access.ts";
import { adsMutants } from "./ads.ts";
import { auditMutants } from "./audit.ts";
import { authMutants } from "./auth.ts";
import { authorizationMutants } from "./authorization.ts";
import { daysMutants } from "./days.ts";
import { gatesMutants } from "./gates.ts";
import { moneyMutants } from "./money.ts";
import type { Mutant } from "./mutant.ts";
import { payeesMutants } from "./payees.ts";
import { payoutMutants } from "./payouts.ts";
import { peopleMutants } from "./people.ts";
import { prepaidMutants } from "./prepaid.ts";

export const mutants: readonly Mutant[] = [
  ...moneyMutants,
  ...prepaidMutants,
  ...payoutMutants,
  ...daysMutants,
  ...accessMutants,
  ...peopleMutants,
  ...payeesMutants,
  ...authorizationMutants,
  ...adsMutants,
  ...gatesMutants,
  ...auditMutants,
  ...authMutants,
];
