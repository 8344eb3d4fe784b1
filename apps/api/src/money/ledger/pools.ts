/** Whose money: that of real accounts, or that of demo accounts. Neither ever covers a payout of the other. */
export type Pool = { demo: boolean };
export const realMoney: Pool = { demo: false };
export const demoMoney: Pool = { demo: true };

/** The chain of the operator's funding; no account has this id. */
export const platformChain = "platform";
/** Funding of demo accounts, which is nobody's money. */
const demoChain = "platform_demo";

export const fundingChainOf = ({ demo }: Pool): string => (demo ? demoChain : platformChain);
