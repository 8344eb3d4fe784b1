import Type from "typebox";

const message = Type.String({ description: "Human-readable. It may change: do not match on it." });

/** Body of every answer that is not a success. */
export const FailureReply = Type.Object(
  {
    error: Type.String({ description: "Stable code to match on." }),
    message,
  },
);

export const RateLimitReply = Type.Object(
  {
    error: Type.Literal("rate_limit_exceeded", { description: "Stable code to match on." }),
    message,
    retry_after: Type.Integer({ minimum: 1, description: "Seconds until a call is accepted again." }),
    limit: Type.Union([Type.Literal("burst"), Type.Literal("hour")], {
      description: "The window that is used up.",
    }),
  },
);
