/** Beside sites.ts, so that pages need not load its schemas. */

export const siteNameLengthMax = 80;
export const originsMax = 20;
/** Per account. */
export const sitesMax = 50;
