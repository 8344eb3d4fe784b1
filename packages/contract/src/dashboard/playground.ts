/**
 * Test-mode calls that the server makes for the signed-in account: `POST /dashboard/api/playground/send` scores a
 * session, `POST /dashboard/api/playground/ad` asks for an ad.
 */
import Type, { type Static } from "typebox";
import { adFormats, adPlacements, categoryPattern } from "../ads.ts";
import { SessionData, testScenarios } from "../scoring.ts";

export const playgroundEndpoints = ["predict", "score", "analyze"] as const;

export const PlaygroundRequest = Type.Object(
  {
    session_data: SessionData,
    endpoint: Type.Optional(Type.Enum([...playgroundEndpoints], { description: "Default: predict." })),
    scenario: Type.Optional(Type.Enum([...testScenarios], { description: "Sent as Assay-Test-Scenario." })),
  },
  { additionalProperties: false },
);

export type PlaygroundRequest = Static<typeof PlaygroundRequest>;

export const PlaygroundAdRequest = Type.Object(
  {
    format: Type.Enum([...adFormats]),
    placement: Type.Enum([...adPlacements]),
    app_category: Type.Optional(Type.String({ pattern: categoryPattern })),
  },
  { additionalProperties: false },
);

export type PlaygroundAdRequest = Static<typeof PlaygroundAdRequest>;

/** 200 whatever the call itself answered: `status` is the call's. It counts in the account's test windows and is not billed. */
export const PlaygroundReply = Type.Object({
  method: Type.Literal("POST"),
  path: Type.String(),
  status: Type.Integer(),
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: "Those of the answer that a developer cares for, in order.",
  }),
  body: Type.String({ description: "The answer's text, byte for byte." }),
});

export type PlaygroundReply = Static<typeof PlaygroundReply>;
