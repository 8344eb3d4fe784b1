import { accessMutants } from "./access.ts";
import { adsMutants } from "./ads.ts";
import { authMutants } from "./auth.ts";
import { authorizationMutants } from "./authorization.ts";
import { moneyMutants } from "./money.ts";
import type { Mutant } from "./mutant.ts";
import { peopleMutants } from "./people.ts";

export const mutants: readonly Mutant[] = [...moneyMutants, ...accessMutants, ...peopleMutants, ...authMutants, ...authorizationMutants, ...adsMutants];
