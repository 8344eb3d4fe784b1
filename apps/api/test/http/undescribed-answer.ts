/** How a watched service begins the line that says that an answer was not as described. */
export const undescribedAnswer = "ANSWER NOT AS DESCRIBED:";
