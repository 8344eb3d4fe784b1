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

/** Always sent with 200; `status` is that of the call. The call counts towards the account's test limits and is not billed. */
export const PlaygroundReply = Type.Object({
  method: Type.Literal("POST"),
  path: Type.String(),
  status: Type.Integer(),
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: "The headers that matter to a developer, in order.",
  }),
  body: Type.String({ description: "Body of the answer, byte for byte." }),
});

export type PlaygroundReply = Static<typeof PlaygroundReply>;
