/** A second factor locks after so many wrong codes in a row, whatever browser they come from, and for so long. */
export const secondFactorFailuresMax = 10;
export const secondFactorLockSeconds = 900;
