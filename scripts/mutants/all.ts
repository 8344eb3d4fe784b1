import { accessMutants } from "./access.ts";
import { adsMutants } from "./ads.ts";
import { authorizationMutants } from "./authorization.ts";
import { moneyMutants } from "./money.ts";
import type { Mutant } from "./mutant.ts";
import { payoutMutants } from "./payouts.ts";
import { peopleMutants } from "./people.ts";

export const mutants: readonly Mutant[] = [...moneyMutants, ...payoutMutants, ...accessMutants, ...peopleMutants, ...authorizationMutants, ...adsMutants];
