import { Button, Group, Stack, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerFinding, ownFindingsQuery } from "../../api/findings.ts";
import { FormError } from "../../ui/states.tsx";

/** The API's limit. */
const answerLengthMax = 2_000;

/** `before` is the answer given so far, which a new one replaces. */
export function AnswerForm({ findingId, before }: { findingId: string; before: string | undefined }) {
  const queries = useQueryClient();
  const [text, setText] = useState(before ?? "");
  const answer = useMutation({
    mutationFn: answerFinding,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ownFindingsQuery.queryKey });
      notifications.show({ message: "Your answer was sent to the operator.", color: "verdigris" });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer.mutate({ findingId, text: text.trim() });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Textarea
          label="Your answer"
          description="Say what these sessions are: where they come from, how you measure them, and what explains the pattern. Leave out names and addresses of visitors."
          autosize
          minRows={3}
          maxRows={12}
          maxLength={answerLengthMax}
          required
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <FormError error={answer.error} />
        <Group><Button type="submit" loading={answer.isPending} disabled={text.trim() === "" || text.trim() === before}>{before === undefined ? "Send answer" : "Replace answer"}</Button></Group>
      </Stack>
    </form>
  );
}
