import Type from "typebox";

const message = Type.String({ description: "For people. It may change: do not match on it." });

/** The body of every answer that is not a success. */
export const FailureReply = Type.Object(
  {
    error: Type.String({ description: "A stable code to match on." }),
    message,
  },
);

export const RateLimitReply = Type.Object(
  {
    error: Type.Literal("rate_limit_exceeded", { description: "A stable code to match on." }),
    message,
    retry_after: Type.Integer({ minimum: 1, description: "Seconds after which a call will pass." }),
    limit: Type.Union([Type.Literal("burst"), Type.Literal("hour")], {
      description: "The window that keeps the caller waiting.",
    }),
  },
);
