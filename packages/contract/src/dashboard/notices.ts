/** `GET` and `PUT /dashboard/api/notices`: what a person is told of by mail. */
import Type, { type Static } from "typebox";
import { topics } from "./notice-topics.ts";

export const NoticesReply = Type.Object({
  topics: Type.Array(
    Type.Object({
      topic: Type.Enum(topics),
      wanted: Type.Boolean(),
      mandatory: Type.Boolean({ description: "Whether it cannot be switched off." }),
    }),
    { description: "Every topic that concerns the account. `operations` is for operators." },
  ),
});

export type NoticesReply = Static<typeof NoticesReply>;

export const ChangeNoticesRequest = Type.Object(
  { topic: Type.Enum(topics), wanted: Type.Boolean() },
  { additionalProperties: false },
);

export type ChangeNoticesRequest = Static<typeof ChangeNoticesRequest>;
