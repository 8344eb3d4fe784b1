/** The chain of what the operator puts in; no account has this id. */
export const platformChain = "platform";
