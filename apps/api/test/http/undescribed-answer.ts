/** Prefix of the lines in which a watched service reports answers that differ from their description. */
export const undescribedAnswer = "ANSWER NOT AS DESCRIBED:";
